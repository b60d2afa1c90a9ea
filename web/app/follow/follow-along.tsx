import clsx from 'clsx'
import { ArrowLeft, ArrowRight, AudioLines, CircleX, Flag, Undo2 } from 'lucide-react'
import { type ReactNode, type TouchEvent, useEffect, useId, useRef } from 'react'
import * as m from '#messages'
import { Callouts, Commands, type ListedStep, StepImage } from '#web/features/step/step-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { DoneButton, Finished, Large, VoiceButton, VoiceNote } from './follow-controls.tsx'
import { useFocus } from './use-focus.ts'
import { type Followed, useFollowing } from './use-following.ts'
import { useVoice, useWakeLock } from './use-hands-free.ts'
import { commandLanguage, type FollowCommand, listWords } from './voice-commands.ts'

type Following = ReturnType<typeof useFollowing>

interface FollowAlongProps extends Followed {
  video: ReactNode
  /** @param atS where the video stands */
  onClose: (atS: number) => void
}

/** One step at a time over the whole screen, for people whose hands are at a machine. The video waits at its end. */
export function FollowAlong({ video, onClose, ...followed }: FollowAlongProps) {
  const { steps, player } = followed
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const following = useFollowing(followed)
  const { position, step, doneIds, actions, aloud } = following
  const language = commandLanguage(followed.language)
  const voice = useVoice(language, (command) => actions[command]())
  const isAwake = useWakeLock()
  useFocus(followed, step)
  const words = listWords(language, { report: Boolean(followed.reporting) })
  useEffect(coverPage, [])
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => onClose(player.current?.currentTime ?? step?.start ?? 0)}
      {...useSwipe(actions)}
      className="m-0 flex h-dvh max-h-none w-dvw max-w-none flex-col overflow-hidden border-0 bg-surface p-0 text-ink"
    >
      <FollowBar
        {...{ followed, position, aloud, voice, words }}
        onReport={followed.reporting && step ? actions.report : null}
        onClose={close}
      />
      {voice && <VoiceNote state={voice.state} words={words} />}
      {!isAwake && <p className="bg-warn-soft px-4 py-1.5 text-sm text-warn-ink">{m.this_browser_lets_the_screen()}</p>}
      <div className="grid min-h-0 flex-1 content-start overflow-y-auto lg:grid-cols-[minmax(0,1.4fr)_minmax(20rem,1fr)] lg:content-center landscape:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
        <div className={clsx('mx-auto w-full max-w-[72dvh] lg:max-w-none', !step && 'hidden')}>{video}</div>
        <div className={clsx('min-w-0 p-4 sm:p-6', !step && 'col-span-full')} aria-live="polite">
          {step ? (
            <StepText
              {...{ id, step }}
              {...followed.asked?.show(step.id)}
              posterUrl={followed.module.posterUrl}
              onPlay={(seconds) => {
                player.current?.seekTo(seconds)
                player.current?.play()
              }}
            />
          ) : (
            <Finished id={id} count={steps.length} doneCount={steps.filter((each) => doneIds.has(each.id)).length} />
          )}
        </div>
      </div>
      <FollowButtons {...{ following }} count={steps.length} onClose={close} />
    </dialog>
  )
}

interface FollowBarProps {
  followed: Pick<Followed, 'module' | 'steps'>
  position: number
  aloud: Following['aloud']
  voice: ReturnType<typeof useVoice>
  words: string[]
  /** Null where there are no reports. */
  onReport: (() => void) | null
  onClose: () => void
}

function FollowBar({ followed: { module, steps }, position, aloud, voice, words, onReport, onClose }: FollowBarProps) {
  return (
    <header className="flex items-center gap-2 border-b border-line px-3 py-2 sm:px-5">
      <p className="min-w-0 flex-1 truncate text-sm font-medium text-ink-soft">
        <span className="tabular-nums">
          {position < steps.length
            ? m.step_at_of_length({ at: position + 1, length: steps.length })
            : m.page_step_count({ count: steps.length })}
        </span>
        <span className="max-sm:sr-only"> · {module.title}</span>
      </p>
      {aloud && (
        <Button
          variant={aloud.isOn ? 'primary' : 'ghost'}
          className="px-3"
          aria-pressed={aloud.isOn}
          onClick={aloud.toggle}
        >
          <AudioLines aria-hidden="true" className="size-5" />
          <span className="max-sm:sr-only">{m.read_aloud()}</span>
        </Button>
      )}
      {voice && <VoiceButton {...{ voice, words }} />}
      {onReport && (
        <Button variant="ghost" className="px-3" onClick={onReport}>
          <Flag aria-hidden="true" className="size-5" />
          <span className="max-sm:sr-only">{m.report_step()}</span>
        </Button>
      )}
      <Button variant="ghost" size="icon" aria-label={m.close()} onClick={onClose}>
        <CircleX aria-hidden="true" className="size-5" />
      </Button>
    </header>
  )
}

interface FollowButtonsProps {
  following: Following
  count: number
  onClose: () => void
}

function FollowButtons({ following: { position, step, doneIds, mark, actions }, count, onClose }: FollowButtonsProps) {
  return (
    <footer className="grid grid-cols-4 gap-2 border-t border-line p-2 sm:gap-3 sm:p-3">
      <Large label={m.back()} isOff={position === 0} onPress={actions.back}>
        <ArrowLeft aria-hidden="true" className="size-6" />
      </Large>
      <Large label={m.repeat()} onPress={actions.repeat}>
        <Undo2 aria-hidden="true" className="size-6" />
      </Large>
      <DoneButton
        isDone={step !== undefined && doneIds.has(step.id)}
        isOff={!step}
        onPress={(now) => step && mark(step.id, now)}
      />
      {step ? (
        <Large label={position === count - 1 ? m.finish_steps() : m.next()} isMain onPress={actions.next}>
          <ArrowRight aria-hidden="true" className="size-6" />
        </Large>
      ) : (
        <Large label={m.close()} isMain onPress={onClose}>
          <CircleX aria-hidden="true" className="size-6" />
        </Large>
      )}
    </footer>
  )
}

interface StepTextProps {
  id: string
  mark?: ReactNode
  after?: ReactNode
  step: ListedStep
  posterUrl: string | null
  onPlay: (seconds: number) => void
}

function StepText({ id, step, mark, after, posterUrl, onPlay }: StepTextProps) {
  return (
    <>
      <Callouts callouts={step.callouts} className="mb-4 text-base" />
      {mark && <p className="mb-2">{mark}</p>}
      {step.chapter !== null && <p className="text-sm font-medium text-ink-faint">{step.chapter}</p>}
      <h2 id={id} dir="auto" className="text-2xl leading-tight font-semibold wrap-anywhere sm:text-3xl">
        {step.title}
      </h2>
      <p dir="auto" className="mt-3 text-lg leading-relaxed wrap-anywhere whitespace-pre-line text-ink-soft">
        {step.description}
      </p>
      {after}
      <Commands {...{ onPlay }} commands={step.commands} className="mt-4" />
      {/* The poster is what the video shows already. */}
      {step.image !== 'poster' && <StepImage {...{ step, posterUrl }} className="mt-4" />}
    </>
  )
}

/** A reload comes back to the mode. The page behind it stays where it is. */
function coverPage() {
  const page = document.documentElement.style
  changeAddress((query) => query.set('follow', '1'))
  page.overflow = 'hidden'
  return () => {
    changeAddress((query) => query.delete('follow'))
    page.overflow = ''
  }
}

function changeAddress(change: (query: URLSearchParams) => void): void {
  const url = new URL(window.location.href)
  change(url.searchParams)
  window.history.replaceState(window.history.state, '', url)
}

/** Longer than a tap that slips, and more to the side than up or down. */
const SWIPE_PX = 60

function useSwipe({ next, back }: Pick<Record<FollowCommand, () => void>, 'next' | 'back'>) {
  const from = useRef<{ x: number; y: number }>(null)
  return {
    onTouchStart({ touches, target }: TouchEvent) {
      const touch = touches[0]
      // A finger on the player's time line moves the video, one on an enlarged video its picture; two enlarge it.
      const isOfVideo = target instanceof Element && target.closest('[role=slider], input, [data-zoomed]') !== null
      from.current = touch && !isOfVideo && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const touch = changedTouches[0]
      if (touch === undefined || from.current === null) return
      const [x, y] = [touch.clientX - from.current.x, touch.clientY - from.current.y]
      if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return
      if (x < 0) next()
      else back()
    },
  }
}
