import { useCallback, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { createStore } from 'zustand/vanilla'
import { seesDraft } from '#contract/module.ts'
import * as m from '#messages'
import { AwaitedVideo } from '#web/features/player/awaited-video.tsx'
import { ModuleVideo } from '#web/features/player/module-video.tsx'
import type { PlayerHandle, PlayerProps } from '#web/features/player/player-handle.ts'
import { useCurrentStep } from '#web/features/step/current-step.tsx'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import type { TranscriptVideo } from '#web/features/transcript/transcript-reader.tsx'
import type { UploadItem } from '#web/features/upload/upload-item.ts'
import { useUploadOf } from '#web/features/upload/upload-manager.ts'
import { canShowPicture } from '#web/lib/can-show-picture.ts'
import { findUnseenBy, namePicture } from '#web/lib/picture.ts'
import { listPlayerSteps, NO_STEPS } from '../shared/player-steps.ts'

/** The video's place while it arrives. Where this very tab sends it, the tab knows best how far it is. */
export function AwaitedUpload({ moduleId, uploadPercent }: { moduleId: string; uploadPercent: number }) {
  const item = useUploadOf(moduleId)
  return (
    <AwaitedVideo percent={Math.max(uploadPercent, percentLeft(item))}>
      {item && (
        <p className="max-w-xs">
          {sentenceOf(item)}{' '}
          <Link
            to="/upload"
            className="rounded-chip font-medium whitespace-nowrap text-on-screen underline underline-offset-4"
          >
            {m.see_the_upload()}
          </Link>
        </p>
      )}
    </AwaitedVideo>
  )
}

/** Of the bytes that have left, as the server counts them; 0 while there are none. */
function percentLeft(item: UploadItem | null): number {
  if (item?.state.kind === 'confirming') return 99
  const transfer = item?.state.kind === 'sending' ? item.state.transfer : null
  return item && transfer ? Math.min(99, Math.floor((transfer.sentBytes / item.sizeBytes) * 100)) : 0
}

function sentenceOf({ state }: UploadItem): string {
  if (state.kind === 'failed') return m.upload_stopped_because({ detail: state.detail })
  if (state.kind === 'done') return m.can_close_tab_now()
  return state.kind === 'sending' && state.isPaused ? m.the_upload_is_paused() : m.keep_tab_open_until_uploaded()
}

interface TrainingVideoOptions {
  hasVideo: boolean
  steps: readonly ListedStep[]
  startAtS?: number
}

/** Ties a video to the steps beside it: which one plays, how to jump to one, and what the editor needs of it. */
export function useTrainingVideo({ hasVideo, steps, startAtS = 0 }: TrainingVideoOptions) {
  const player = useRef<PlayerHandle>(null)
  const videoPlace = useRef<HTMLDivElement>(null)
  const showVideo = useCallback(() => {
    videoPlace.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [])
  /** Where the video stands until its player is loaded. */
  const [beginAtS, setBeginAtS] = useState(startAtS)
  const [{ subscribe, setState: updateTime }] = useState(() => createStore<number | null>(() => null))
  const playhead: Playhead & TranscriptVideo = useMemo(
    () => ({
      readTimeS: () => (hasVideo ? (player.current?.currentTime ?? beginAtS) : null),
      preview(startS, endS) {
        showVideo()
        player.current?.playRange(startS, endS)
      },
      seekTo: (seconds: number) => player.current?.seekTo(seconds),
      readVideo: () => player.current?.video ?? null,
      subscribe,
    }),
    [hasVideo, beginAtS, showVideo, subscribe],
  )
  const { current, noteTime } = useCurrentStep(steps, startAtS)

  const jumpTo = (step: ListedStep) => jumpToTime(step.start)
  function jumpToTime(seconds: number) {
    showVideo()
    if (!hasVideo) return awaitVideo(seconds)
    player.current?.seekTo(seconds)
    player.current?.play()
  }
  /** Until the video has arrived, the time is stored, and playback starts there. */
  function awaitVideo(seconds: number) {
    setBeginAtS(seconds)
    noteTime(seconds)
  }
  function onTimeChange(seconds: number) {
    noteTime(seconds)
    updateTime(seconds)
  }
  return { player, videoPlace, beginAtS, playhead, currentId: current?.id ?? null, jumpTo, jumpToTime, onTimeChange }
}

/** What an owner may not notice, whose own browser shows the video. */
function UnseenNote({ codec }: { codec: string | null }) {
  const unseenBy = codec && findUnseenBy(codec)
  if (!unseenBy) return null
  return (
    <p className="bg-warn-soft px-4 py-3 text-sm text-warn-ink sm:m-2 sm:rounded-control">
      {m.picture_is_in_format({ format: namePicture(codec) ?? m.an_uncommon_format(), advice: unseenBy })}
    </p>
  )
}

/** Owners play what is left out too, to judge it: a copy without it is for those whose browser shows nothing else. */
function findWholeCopy({ role, smallCopy, smallCopyLacksS, videoCodec }: LoadedModule): LoadedModule['smallCopy'] {
  const isOnlyOne = !canShowPicture(videoCodec)
  return seesDraft(role) && smallCopyLacksS > 0 && !isOnlyOne ? null : smallCopy
}

interface TrainingVideoProps extends Omit<PlayerProps, 'src' | 'title' | 'poster' | 'steps' | 'link'> {
  module: LoadedModule
  steps?: readonly ListedStep[]
}

/** The video of a module for signed-in people, or what stands in its place while it arrives. */
export function TrainingVideo({ module, steps = NO_STEPS, ...player }: TrainingVideoProps) {
  const { id, posterUrl, shared, shareUrl, trainingUrl } = module
  const playerSteps = useMemo(() => listPlayerSteps(steps, posterUrl), [steps, posterUrl])
  if (!module.hasVideo) return <AwaitedUpload moduleId={id} uploadPercent={module.uploadPercent} />
  return (
    <>
      <ModuleVideo
        // Another video is loaded anew: its frames are not those of the one before.
        key={module.videoId}
        {...player}
        urlPath={`/api/video-url/module/${encodeURIComponent(id)}`}
        title={module.title}
        poster={posterUrl ?? undefined}
        videoCodec={module.videoCodec}
        smallCopy={findWholeCopy(module)}
        audioTracks={module.audioTracks}
        steps={playerSteps}
        link={shared ? shareUrl : trainingUrl}
      />
      {module.role === 'owner' && module.smallCopy === null && <UnseenNote codec={module.videoCodec} />}
    </>
  )
}
