// Set-up of the web tests: jsdom's own `crypto` has no `subtle`, which every browser has.
import { webcrypto } from 'node:crypto'

if (crypto.subtle === undefined) Object.defineProperty(globalThis, 'crypto', { value: webcrypto })
