import { keepStored, readStored } from '../browser-state.ts'

const KEY = 'adapt_whose'

/** Id of the person whose device this is, by a link, a code or a sign-in; null where it is nobody's. */
export function readPerson(): string | null {
  return readStored(KEY)
}

/** @param personId null where the device is nobody's */
export function keepPerson(personId: string | null): void {
  keepStored(KEY, personId)
}
