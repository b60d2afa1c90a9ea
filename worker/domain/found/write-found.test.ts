import { expect, it } from 'vitest'
import type { FoundPlace } from './search-collection.ts'
import { writeFound } from './write-found.ts'

const member = {
  id: 'module',
  linkId: 'new-link',
  linkEndsAt: null,
  title: 'Fill <it>',
  hasPoster: true,
  durationMs: 60_000,
  stepCount: 3,
  isLocked: false,
  hasTutor: false,
}
const place: FoundPlace = {
  member,
  step: { text: 'Open the lid', marks: [[9, 12]] },
  image: null,
  start: 62.9,
  quote: null,
  translation: null,
}
const found = { places: [place], isCovered: true, memberCount: 2 }

it('leads to the moment by the link that opens the training now, and never by the id behind it', () => {
  const html = writeFound(found, { collectionId: 'set', tag: 'en' })
  expect(html).toContain('href="/share/new-link?collection=set&amp;t=62"')
  expect(html).toContain('src="/share/new-link/images/poster"')
  expect(html).not.toContain('module')
})

it('marks what was looked for, and writes titles as text', () => {
  const html = writeFound(found, { collectionId: 'set', tag: 'en' })
  expect(html).toContain('Open the <mark>lid</mark>')
  expect(html).toContain('Fill &lt;it&gt;')
})
