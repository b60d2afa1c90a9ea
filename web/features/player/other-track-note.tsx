import { X } from 'lucide-react'
import { type MouseEvent, type RefObject, useEffect, useState } from 'react'
import type { AudioTrack } from '#contract/module.ts'
import * as m from '#messages'
import { keepStored, listen, readStored } from '#web/lib/browser-state.ts'
import { nameAudioTracks } from '#web/lib/format/name-audio-tracks.ts'
import './player-notice.css'

/** Only Safari has it; its ids are those of the file. */
interface SwitchableVideo extends HTMLVideoElement {
  audioTracks?: Iterable<{ id: string; enabled: boolean }>
}

interface OtherTrackNoteProps {
  videoRef: RefObject<HTMLVideoElement | null>
  tracks: readonly AudioTrack[]
  /** What it is kept as that this browser has said it; said each time without. */
  keepAs: string | undefined
}

/**
 * Plays the track of audio that the steps are of; where the browser cannot, says once for a video that it is another one
 * than is heard.
 */
export function OtherTrackNote({ videoRef, tracks, keepAs }: OtherTrackNoteProps) {
  const index = findOtherTrack(tracks)
  const trackId = tracks[index]?.trackId
  const key = keepAs === undefined ? null : `adapt_other_track:${keepAs}`
  const [isSaid, setIsSaid] = useState(() => key !== null && readStored(key) === String(trackId))
  const isSwitched = useSwitchedTrack(videoRef, trackId)
  const isShown = isSwitched === false && !isSaid
  useEffect(() => {
    if (isShown && key !== null) keepStored(key, String(trackId))
  }, [isShown, key, trackId])
  if (!isShown) return null
  function close({ currentTarget }: MouseEvent) {
    // The button goes away; the focus stays in the player, where the keys act.
    currentTarget.closest<HTMLElement>('.player')?.focus({ preventScroll: true })
    setIsSaid(true)
  }
  return (
    <div role="status" className="player-resumed player-other-track">
      <span>{m.steps_follow_other_track({ track: nameAudioTracks(tracks)[index] ?? '' })}</span>
      <button type="button" aria-label={m.dismiss()} onClick={close}>
        <X aria-hidden="true" />
      </button>
    </div>
  )
}

/** Where the track is that the steps are of, unless it is the one that is heard or one speaker's of several; -1 otherwise. */
function findOtherTrack(tracks: readonly AudioTrack[]): number {
  const [first, ...others] = tracks.flatMap(({ isTranscribed, isPlayed }, index) =>
    isTranscribed ? [{ index, isPlayed }] : [],
  )
  return first === undefined || first.isPlayed || others.length > 0 ? -1 : first.index
}

/** @returns whether the video plays that track; null while that is not known, and where there is none to play */
function useSwitchedTrack(videoRef: OtherTrackNoteProps['videoRef'], trackId: number | undefined): boolean | null {
  const [isSwitched, setIsSwitched] = useState<boolean | null>(null)
  useEffect(() => {
    const video = videoRef.current
    if (video === null || trackId === undefined) return
    const check = () => setIsSwitched(switchTrack(video, trackId))
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) check()
    return listen(video, { loadedmetadata: check })
  }, [videoRef, trackId])
  return isSwitched
}

function switchTrack(video: SwitchableVideo, trackId: number): boolean {
  const tracks = [...(video.audioTracks ?? [])]
  if (!tracks.some(({ id }) => id === String(trackId))) return false
  for (const track of tracks) track.enabled = track.id === String(trackId)
  return true
}
