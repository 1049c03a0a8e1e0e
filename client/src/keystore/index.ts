export { type Decrypted, decryptKeystore } from './decryptKeystore.ts';
