import { ensureBuilt, ensureInstalled } from './tree.mjs';

ensureInstalled();
ensureBuilt();
