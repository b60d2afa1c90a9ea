import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { ListedStep } from '#web/features/step/step-list.tsx'
import { listen } from '#web/lib/browser-state.ts'
import { keepPlace, readPlace } from './kept-place.ts'
import { useSpeech } from './use-hands-free.ts'
import type { FollowCommand } from './voice-commands.ts'

/** What is followed. */
export interface Followed {
  module: { id: string; title: string; posterUrl: string | null }
  steps: readonly ListedStep[]
  /** Of the narration. BCP 47; null where it is not known. */
  language: string | null
  player: RefObject<PlayerHandle | null>
  /** Opens the sheet to report from a step; null where there are no reports. */
  reporting?: { report: (step: ListedStep, number: number) => void } | null
  /** What a step has that is asked again of the person whose device this is; null for nothing. */
  asked?: { show: (id: string) => { badge?: ReactNode; after?: ReactNode } } | null
  /** Where the video stands, with each of its ticks. Seconds. */
  clock: StoreApi<number>
}

/** Keys that foot pedals send as well. */
const KEYS: Record<string, FollowCommand> = {
  ArrowRight: 'next',
  PageDown: 'next',
  ' ': 'next',
  ArrowLeft: 'back',
  PageUp: 'back',
  r: 'repeat',
}

/** A video reports its time four times a second. */
const TICK_S = 0.3

/** Leads from step to step: shows each, reads it aloud where that is wished, and lets the video wait at its end. */
export function useFollowing({ module, steps, language, player, clock, reporting }: Followed) {
  const { position, step, doneIds, goTo, mark } = usePlace(module.id, steps)
  const speech = useSpeech(language)
  const [isAloud, setIsAloud] = useState(false)

  function play(from: ListedStep) {
    player.current?.seekTo(from.start)
    player.current?.play()
  }
  /** Read first, then shown: speech over the narration could not be understood. */
  function show(index: number, { aloud = isAloud }: { aloud?: boolean } = {}) {
    const target = steps[index]
    goTo(index)
    speech?.stop()
    player.current?.pause()
    if (target === undefined) return
    if (!aloud || speech === null) return play(target)
    player.current?.seekTo(target.start)
    speech.speak(wordsOf(target, index), () => play(target))
  }
  const actions: Record<FollowCommand, () => void> = {
    next: () => {
      if (step) mark(step.id, true)
      if (position < steps.length) show(position + 1)
    },
    back: () => position > 0 && show(position - 1),
    repeat: () => show(Math.min(position, steps.length - 1)),
    slower: () => player.current?.changeRate('slower'),
    report: () => {
      if (!step || !reporting) return
      actions.stop()
      reporting.report(step, position + 1)
    },
    stop: () => {
      speech?.stop()
      player.current?.pause()
    },
  }
  const begin = useEffectEvent(() => show(position))
  useEffect(() => begin(), [])
  const stopAtEnd = useEffectEvent((seconds: number) => {
    if (step && seconds >= findLast(step, steps) && seconds < step.end + 2 * TICK_S && player.current?.isPlaying) {
      player.current.pause()
    }
  })
  useEffect(() => clock.subscribe((seconds) => stopAtEnd(seconds)), [clock])
  useKeys(actions)

  function toggleAloud() {
    setIsAloud(!isAloud)
    if (isAloud) speech?.stop()
    else show(position, { aloud: true })
  }
  return { position, step, doneIds, mark, actions, aloud: speech && { isOn: isAloud, toggle: toggleAloud } }
}

/** From when on the video waits: before the next step begins, or after the last word where a pause follows. */
function findLast({ end }: ListedStep, steps: readonly ListedStep[]): number {
  const isNextAtOnce = steps.some(({ start }) => Math.abs(start - end) < TICK_S)
  return isNextAtOnce ? end - TICK_S / 2 : end
}

function useKeys(actions: Record<FollowCommand, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = KEYS[event.key]
    if (command === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    // What is typed into a sheet over the mode is no command.
    if (event.target instanceof Element && event.target.closest('[data-sheet]')) return
    // A button under the focus is pressed by the space bar as ever.
    if (event.key === ' ' && event.target instanceof HTMLButtonElement) return
    // Before the player, whose keys these are as well.
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat) actions[command]()
  })
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => press(event)
    return listen(window, { keydown }, { capture: true })
  }, [])
}

/** Where the learner is, which a reload comes back to. One behind the last step: at the end. */
function usePlace(moduleId: string, steps: readonly ListedStep[]) {
  const [place, setPlace] = useState(() => readPlace(moduleId))
  const [isFinished, setIsFinished] = useState(false)
  useEffect(() => keepPlace(moduleId, place), [moduleId, place])
  const found = Math.max(
    0,
    steps.findIndex(({ id }) => id === place.stepId),
  )
  const position = isFinished ? steps.length : found
  return {
    position,
    step: steps[position],
    doneIds: new Set(place.doneIds),
    goTo: (index: number) => {
      setIsFinished(index >= steps.length)
      setPlace((before) => ({ ...before, stepId: steps[index]?.id ?? null }))
    },
    mark: (stepId: string, isDone: boolean) => {
      setPlace((before) => {
        const others = before.doneIds.filter((each) => each !== stepId)
        return { ...before, doneIds: isDone ? [...others, stepId] : others }
      })
    },
  }
}

function wordsOf({ title, description, callouts }: ListedStep, index: number): string {
  const warned = callouts.map(({ kind, text }) => `${kind}: ${text}`)
  const texts = [`${index + 1}. ${title}`, ...warned, description]
  return texts.flatMap((text) => (text === '' ? [] : /[.!?。]$/.test(text) ? text : `${text}.`)).join(' ')
}
