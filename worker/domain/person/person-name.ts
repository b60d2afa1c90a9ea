import { z } from 'zod'
import { commitPerson, type PersonName } from '#records/commit-person.ts'
import type { HeldName } from '#worker/db/record-tables.ts'

const SALT_BYTES = 16
/** Names that one person had and that records show: more than anybody has in a life. Beyond them the oldest goes first. */
const NAMES_MAX = 200

/** What a row of a person holds of a name. */
export interface NamedPerson extends PersonName {
  commitment: string
  /** The newest last. */
  names: HeldName[]
}

/** Gives a person a name, with a salt of its own. @param earlier names that records of the person mean */
export async function namePerson({ name, number }: PersonName, earlier: readonly HeldName[]): Promise<NamedPerson> {
  const salt = z.util.uint8ArrayToHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)))
  const names = [...earlier, { name, number, salt }].slice(-NAMES_MAX)
  return { name, number, commitment: await commitPerson({ name, number }, salt), names }
}
