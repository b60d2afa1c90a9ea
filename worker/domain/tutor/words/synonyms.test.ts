import { expect, it } from 'vitest'
import { listSynonyms } from './synonyms.ts'
import { stemTerm } from './words.ts'

it('takes a picture for an image and a photo, and the other way round', () => {
  const [picture, image, photo] = ['picture', 'image', 'photo'].map(stemTerm) as [string, string, string]
  expect([...listSynonyms(picture)]).toEqual(expect.arrayContaining([image, photo]))
  expect([...listSynonyms(image)]).toEqual(expect.arrayContaining([picture, photo]))
})
