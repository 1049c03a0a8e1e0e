import { createContext } from 'preact';

/** True while the data shown belongs to an earlier selection, so that it is not exported as the new one. */
export const PreviousContext = createContext(false);
