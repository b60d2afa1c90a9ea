import { customAlphabet } from 'nanoid'

// Shaped like Clerk's own ids: 27 characters, about 160 random bits, so a client id can serve as its cookie's secret.
const randomPart = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 27)

type IdPrefix = 'user' | 'client' | 'sess' | 'sia' | 'sua' | 'org' | 'orginv'

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomPart()}`
}
