#!/usr/bin/env python3
"""moto's server, with one correction: moto deletes a resource that an update removes in any case, and does not know
the DeletionPolicy RetainExceptOnCreate. CloudFormation keeps what was created by an earlier deployment."""
import sys

from moto.cloudformation.parsing import ResourceMap
from moto.server import main

delete = ResourceMap._delete_resource


def delete_unless_retained(self, resource, definition):
    if not definition.get("DeletionPolicy", "").startswith("Retain"):
        delete(self, resource, definition)


ResourceMap._delete_resource = delete_unless_retained
sys.exit(main())
