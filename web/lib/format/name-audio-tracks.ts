import type { AudioTrack } from '#contract/module.ts'
import * as m from '#messages'
import { languageName } from './language-name.ts'

/** What people read of each track of audio: its language and its name, or its number where these tell none apart. */
export function nameAudioTracks(tracks: readonly Pick<AudioTrack, 'language' | 'name'>[]): string[] {
  const said = tracks.map(({ language, name }) =>
    [language && languageName(language), name].filter(Boolean).join(' – '),
  )
  return said.map((text, index) => {
    const numbered = m.audio_track_number({ number: index + 1 })
    if (text === '') return numbered
    return said.indexOf(text) === said.lastIndexOf(text) ? text : `${numbered}: ${text}`
  })
}
