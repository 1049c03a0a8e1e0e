import { expect, test } from 'vitest';
import { isPublicAddress } from './publicAddress.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::FFFF:7F00:1',
  '0:0:0:0:0:ffff:0a00:0001',
  '::ffff:169.254.169.254',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1%eth0',
  'fd00:ec2::254',
  'fc00::1',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'localhost',
  '',
  '2130706433',
])('isPublicAddress: %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2606:4700:4700::1111',
])('isPublicAddress: %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
