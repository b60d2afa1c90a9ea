import { useId } from 'react'
import type { AudioTrack } from '#contract/module.ts'
import * as m from '#messages'
import { nameAudioTracks } from '#web/lib/format/name-audio-tracks.ts'
import { Select } from '#web/ui/form-controls.tsx'

interface AudioTrackFieldProps {
  tracks: readonly AudioTrack[]
  /** Null where Adapt chooses. */
  value: number | null
  onChange: (trackId: number | null) => void
}

/** Which of a video's tracks of audio its transcript is made from. */
export function AudioTrackField({ tracks, value, onChange }: AudioTrackFieldProps) {
  const id = useId()
  const names = nameAudioTracks(tracks)
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {m.audio_track()}
      </label>
      <Select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        aria-describedby={`${id}-hint`}
        className="mt-1.5"
      >
        <option value="">{m.audio_track_by_adapt()}</option>
        {tracks.map(({ trackId, isTranscribed }, index) => (
          <option key={trackId} value={trackId}>
            {isTranscribed ? m.audio_track_in_use({ track: names[index] ?? '' }) : names[index]}
          </option>
        ))}
      </Select>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        {m.audio_track_hint()}
      </p>
    </div>
  )
}
