import { createContext } from 'preact';
import type { ExplorerLink } from './explorer-links.ts';

/** The explorer of the service's network, undefined until that is known. */
export const Explorer = createContext<ExplorerLink | undefined>(undefined);
