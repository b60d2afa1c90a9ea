import { expect, it } from 'vitest'
import { readMediaFacts } from './read-facts.ts'
import { pickMedia } from './testing/cut-all.ts'
import { makeTracks } from './testing/make-tracks.ts'

it.each(['mp4', 'mkv'] as const)(
  'lists the tracks of %s with language, name and which one is played',
  async (format) => {
    const open = pickMedia(
      await makeTracks(format, [
        { language: 'und' },
        { language: 'ger', name: ' Director\u0007s cut ', isDefault: true },
        { language: 'fra', isDefault: true },
      ]),
    )
    expect((await readMediaFacts(open())).audioTracks).toEqual([
      { trackId: 1, language: null, name: null, isPlayed: false },
      { trackId: 2, language: 'de', name: 'Director s cut', isPlayed: true },
      { trackId: 3, language: 'fr', name: null, isPlayed: false },
    ])
  },
)

it('takes the first for what is played where none is the default', async () => {
  const open = pickMedia(await makeTracks('mkv', [{}, {}]))
  const { audioTracks } = await readMediaFacts(open())
  expect(audioTracks.map(({ isPlayed }) => isPlayed)).toEqual([true, false])
})

it('lists nothing where there is no choice', async () => {
  const alone = pickMedia(await makeTracks('mkv', [{ isDefault: true }]))
  expect((await readMediaFacts(alone())).audioTracks).toEqual([])
  const oneEmpty = pickMedia(await makeTracks('mkv', [{ isDefault: true, durationMs: 0 }, {}]))
  expect(await readMediaFacts(oneEmpty())).toMatchObject({ audioTracks: [], audio: { trackId: 2 } })
})

it.each(['mp4', 'mkv'] as const)('cuts the track of %s that a person has chosen, if there is one', async (format) => {
  const open = pickMedia(await makeTracks(format, [{ isDefault: true }, {}]))
  expect((await readMediaFacts(open())).audio).toMatchObject({ trackId: 1 })
  expect((await readMediaFacts(open(), null, 2)).audio).toMatchObject({ trackId: 2 })
  expect((await readMediaFacts(open(), null, 9)).audio).toMatchObject({ trackId: 1 })
})
