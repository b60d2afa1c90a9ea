import { keepStored, parseStored, readStored } from '../browser-state.ts'

const KEY = 'adapt_whose'
const PAGE_KEY = 'adapt_my_page'

/** Id of the person whose device this is, by a link, a code or a sign-in; null where it is nobody's. */
export function readPerson(): string | null {
  return readStored(KEY)
}

/** The page of somebody else is forgotten. @param personId null where the device is nobody's */
export function keepPerson(personId: string | null): void {
  if (personId !== readPerson()) keepOwnPage(null)
  keepStored(KEY, personId)
}

/** What the own page has shown last, for times without a network; null where nothing is kept. */
export function readOwnPage(): unknown {
  return parseStored(PAGE_KEY)
}

/** @param shown null forgets it */
export function keepOwnPage(shown: object | null): void {
  keepStored(PAGE_KEY, shown && JSON.stringify(shown))
}
