import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import { MODULES_PAGE_MAX, STATUS_POLL_MS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { keepStored, parseStored, readStored } from '#web/lib/browser-state.ts'
import { atWorkQuery, isAtWork, readModule } from '#web/lib/module-cache.ts'
import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'

/** Titles by id of modules whose end is to be notified. */
const Watched = z.record(z.string(), z.string())
type Watched = z.infer<typeof Watched>

export type WatchedModules = ReturnType<typeof openWatchedModules>

/** What the tabs of one browser wait for together, so that each end is notified once, also after a reload. */
function openWatchedModules(userId: string) {
  const key = `adapt_watched_modules:${userId}`
  function read(): Watched {
    // Edited by hand, or written by another version of Adapt, it is as if nothing were there.
    return Watched.safeParse(parseStored(key)).data ?? {}
  }
  function apply(next: (watched: Watched) => Watched): Watched {
    const before = read()
    const after = next(before)
    keepStored(key, JSON.stringify(after))
    return Object.fromEntries(Object.entries(before).filter(([id]) => !(id in after)))
  }
  /**
   * Changes what is waited for while no other tab does.
   * @returns what is gone from the list by this change
   */
  async function change(next: (watched: Watched) => Watched): Promise<Watched> {
    // Browsers without locks are too few for their double toasts to matter.
    if (!('locks' in navigator)) return apply(next)
    return navigator.locks.request(key, async () => apply(next))
  }
  return { read, change }
}

/** While the tab is hidden, a notification that comes half a minute later is soon enough. */
const HIDDEN_POLL_MS = 30_000

/** Notifies when a module of this person has ended, whatever page is open; in one tab only. */
export function useModuleWatch(userId: string, onEnd: (module: Module) => void): WatchedModules {
  const callApi = useApi()
  const [watched] = useState(() => openWatchedModules(userId))
  const { data: atWork, dataUpdatedAt } = useQuery({
    ...atWorkQuery(callApi),
    refetchInterval: ({ state }) =>
      isWaiting(state.data, watched) && (document.visibilityState === 'hidden' ? HIDDEN_POLL_MS : STATUS_POLL_MS),
    refetchIntervalInBackground: true,
  })
  const settle = useEffectEvent(async (now: readonly Module[]) => {
    for (const [moduleId, title] of Object.entries(await takeEnded(watched, { now, userId }))) {
      const ended = await readModule(callApi, moduleId)
      if (ended === 'unknown' || (ended !== 'gone' && isAtWork(ended))) {
        // Nothing is known yet: wait for it again.
        await watched.change((others) => ({ ...others, [moduleId]: title }))
      } else if (ended !== 'gone') onEnd(ended)
    }
  })
  useEffect(() => {
    if (atWork !== undefined) void settle(atWork)
    // Each answer is processed once, also one that equals the last.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [atWork, dataUpdatedAt])
  return watched
}

function isWaiting(atWork: readonly Module[] | undefined, watched: WatchedModules): boolean {
  return (atWork?.length ?? 0) > 0 || Object.keys(watched.read()).length > 0
}

/** Takes the modules that are no longer being processed off the list; only the tab that took one notifies. */
function takeEnded(watched: WatchedModules, { now, userId }: { now: readonly Module[]; userId: string }) {
  // Each colleague is notified of their own uploads only.
  const mine: Watched = Object.fromEntries(
    now.filter((module) => module.userId === userId).map(({ id, title }) => [id, title]),
  )
  // A full list may lack some that are at work.
  const isWhole = now.length < MODULES_PAGE_MAX
  return watched.change((before) => (isWhole ? mine : { ...before, ...mine }))
}

const CHOICE_KEY = 'adapt_notify_when_ready'

/** `blocked`: the browser refuses, and only its own settings change that. */
type NoticeState = 'unsupported' | 'blocked' | 'off' | 'on'

/** Counts the switches, since the browser publishes no change of its permission. */
const switches = createStore(() => 0)

function readState(): NoticeState {
  if (!('Notification' in window)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readStored(CHOICE_KEY) === 'on' ? 'on' : 'off'
}

function useNoticeState(): NoticeState {
  return useSyncExternalStore(switches.subscribe, readState)
}

/** Asks the browser for leave where it has not been given; to be called from a click. */
async function turnNotices(to: 'on' | 'off'): Promise<void> {
  keepStored(CHOICE_KEY, to)
  if (to === 'on' && Notification.permission === 'default') await Notification.requestPermission()
  switches.setState((count) => count + 1)
}

interface DesktopNotice {
  title: string
  body: string
  /** Two of one tag are one. */
  tag: string
  onOpen: () => void
}

/** Shows a notification of the browser if the person has turned them on and the page is hidden. */
export function showDesktopNotice({ title, body, tag, onOpen }: DesktopNotice): void {
  if (readState() !== 'on' || document.visibilityState === 'visible') return
  try {
    const notice = new Notification(title, { body, tag })
    notice.onclick = () => {
      window.focus()
      notice.close()
      onOpen()
    }
  } catch {
    // Android allows them in service workers only; the toast is still shown.
  }
}

const MEANS = {
  off: m.otherwise_you_see_it_on(),
  on: m.your_browser_notifies_you_while(),
  blocked: m.your_browser_blocks_notifications_of(),
} as const

/** Turns notifications of the browser about finished modules on and off. Renders nothing where it has none. */
export function NoticeCard() {
  const state = useNoticeState()
  if (state === 'unsupported') return null
  return (
    <Card className="px-4 py-3">
      <Switch
        label={m.notify_me_when_a_module()}
        description={MEANS[state]}
        isOn={state === 'on'}
        onChange={(isOn) => void turnNotices(isOn ? 'on' : 'off')}
      />
    </Card>
  )
}
