/** A keystore created with Python's hashlib and OpenSSL. */
export const KEYSTORE = JSON.stringify({
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: 'aebbc7f60eda7ba1c1b380787e149ae8' },
    ciphertext: 'fab4d5fe8ef399199f034ec6ed0b719459a682771cc3893dbb4cf9741086d783',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 4_096,
      r: 8,
      p: 6,
      salt: 'fac3b50d969daf4f463afa29f79adc70194cd9e82ee43a029a7fa37189505c84',
    },
    mac: 'ef690ae47cab057754e0c16f5536663e6ee540ae558a96973779a2baad18f9fe',
  },
  version: 3,
});
export const PASSWORD = 'päss word';
