#!/usr/bin/env python3
"""moto's server, with one correction: when an update removes a resource, moto deletes it in any case. CloudFormation
keeps it if its DeletionPolicy was Retain."""
import sys

from moto.cloudformation.parsing import ResourceMap
from moto.server import main

delete = ResourceMap._delete_resource


def delete_unless_retained(self, resource, definition):
    if definition.get("DeletionPolicy") != "Retain":
        delete(self, resource, definition)


ResourceMap._delete_resource = delete_unless_retained
sys.exit(main())
