import { expect, it } from 'vitest'
import { findSecret } from './find-secret.ts'

/** Written in two parts, so that no scanner takes them for real ones. */
it.each([
  [`OPENAI_API_KEY=${'sk-'}proj-${'a1B2'.repeat(6)}`, 'key'],
  [`${'AKI'}AIOSFODNN7EXAMPLE`, 'key'],
  [`${'gh'}p_${'a1B2c3D4'.repeat(4)}`, 'key'],
  [`-----BEGIN RSA ${'PRIVATE'} KEY-----`, 'key'],
  [`Authorization: Bearer ${'abc123.'.repeat(4)}`, 'token'],
  [`${'ey'}JhbGciOiJI.${'ey'}JzdWIiOiIx.x`, 'token'],
  ['Password: hunter2', 'password'],
  ['Passwort: geheim', 'password'],
  ['4242 4242 4242 4242', 'card'],
  ['write to mila@example.com', 'email'],
  [`db ${'aZ3kQ9'.repeat(5)}`, 'key'],
])('finds what should stay private in %j', (line, kind) => {
  expect(findSecret(line)).toBe(kind)
})

it.each([
  'ls -a',
  'man -k directories',
  'ssh admin@10.0.12.7',
  'git clone git@github.com:team/shop.git',
  'cdeep@cdeep-laptop:~$',
  'Enter your password',
  'drwxr-xr-x 8 root root 4096 nginx',
  'tar -xzf backup-2024.tar.gz -C /srv',
  '1234 5678 9012 3456',
  'internationalization-of-everything',
])('finds nothing in %j', (line) => {
  expect(findSecret(line)).toBeNull()
})
