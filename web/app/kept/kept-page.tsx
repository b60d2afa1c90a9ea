import { HardDriveDownload, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { KEPT_PATH } from '#contract/share-page.ts'
import * as m from '#messages'
import {
  canKeep,
  formatAge,
  type KeptCopy,
  listCopies,
  measureStorage,
  removeCopy,
  sweepAll,
  withCopy,
} from '#web/features/kept/kept-copy.ts'
import { keepList, type RefreshOutcome, refreshCopy } from '#web/features/kept/make-copy.ts'
import { keepKeptSession } from '#web/features/learning/learner-id.ts'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { listen } from '#web/lib/browser-state.ts'
import { formatBytes } from '#web/lib/format/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ThemeButton } from '#web/ui/theme-select.tsx'
import { openSharedLearning } from '../share/shared-learning-log.ts'

type Storage = Awaited<ReturnType<typeof measureStorage>>

interface KeptState {
  /** Null while they are read. */
  copies: readonly KeptCopy[] | null
  storage: Storage
  /** Titles of copies that were removed while this page was open, because their links were turned off. */
  unsharedTitles: readonly string[]
}

/** Reads the copies on this device, and updates them if the network allows it. */
function useCopies() {
  const [state, setState] = useState<KeptState>({ copies: null, storage: null, unsharedTitles: [] })
  const [failure, setFailure] = useState<Error | null>(null)
  if (failure !== null) throw failure

  async function read() {
    const [copies, storage] = await Promise.all([listCopies(), measureStorage()])
    setState((before) => ({ ...before, copies, storage }))
    return copies
  }
  async function refresh(copy: KeptCopy): Promise<RefreshOutcome> {
    const outcome = await refreshCopy(copy)
    if (outcome === 'gone') {
      await remove(copy)
      setState((before) => ({ ...before, unsharedTitles: [...before.unsharedTitles, copy.title] }))
    } else if (outcome !== 'unreachable') await read()
    return outcome
  }
  async function remove(copy: KeptCopy) {
    await withCopy(copy.path, () => removeCopy(copy.path))
    keepKeptSession(copy.moduleId, null)
    await read()
  }
  useEffect(() => {
    if (!canKeep()) return setState((before) => ({ ...before, copies: [] }))
    const refreshAll = async () => {
      await sweepAll()
      const copies = await read()
      if (copies.length === 0 || !navigator.onLine) return
      for (const copy of copies) await refresh(copy)
      await keepList()
    }
    const begin = () => void refreshAll().catch(setFailure)
    begin()
    return listen(window, { online: begin })
    // oxlint-disable-next-line react/exhaustive-deps -- once, and whenever the network is back
  }, [])
  // What was played without a network goes with the first page that has one, also with this one.
  const newest = state.copies?.[0]?.moduleId
  useEffect(() => (newest === undefined ? undefined : openSharedLearning(newest).open()), [newest])
  return { ...state, remove: (copy: KeptCopy) => void remove(copy).catch(setFailure) }
}

/**
 * The trainings that this device opens without a network: at `/kept`, and at links to others while they cannot be loaded
 * (web/kept-worker.ts).
 */
export function KeptPage() {
  const { copies, storage, unsharedTitles, remove } = useCopies()
  const isElsewhere = window.location.pathname !== KEPT_PATH
  return (
    <main className="flex-1">
      {isElsewhere ? <NotKept /> : <OfflineBanner />}
      <div className="mx-auto w-full max-w-2xl px-4 pt-3 pb-10">
        <header className="flex items-center justify-between gap-4">
          <a href="/" className="inline-flex rounded-control">
            <Logo />
          </a>
          <ThemeButton />
        </header>
        <h1 className="mt-4 text-xl font-semibold sm:text-2xl">{m.kept_on_this_phone()}</h1>
        <div role="status">
          {unsharedTitles.map((title) => (
            <p
              key={title}
              className="mt-3 rounded-control bg-warn-soft px-4 py-2.5 text-sm wrap-anywhere text-warn-ink"
            >
              {m.title_is_not_shared_any({ title })}
            </p>
          ))}
        </div>
        {copies === null ? (
          <LoadingSkeleton what={m.what_is_kept()} className="mt-5 h-24 rounded-card" />
        ) : copies.length === 0 ? (
          <NothingKept />
        ) : (
          <>
            <ul className="mt-5 grid gap-2.5">
              {copies.map((copy) => (
                <KeptItem key={copy.path} copy={copy} onRemove={() => remove(copy)} />
              ))}
            </ul>
            {storage !== null && (
              <p className="mt-4 text-sm text-ink-soft tabular-nums">
                {m.usedbytes_used_about_freebytes_left({
                  usedBytes: formatBytes(storage.usedBytes),
                  freeBytes: formatBytes(storage.freeBytes),
                })}
              </p>
            )}
          </>
        )}
      </div>
    </main>
  )
}

/** A browser reports a network a moment before it carries anything, or though it leads nowhere. */
const ASK_AGAIN_MS = 3_000

/** Shown instead of a training that is not stored on this device. */
function NotKept() {
  useEffect(() => {
    async function openWhenReached() {
      if (!navigator.onLine) return
      const signal = AbortSignal.timeout(ASK_AGAIN_MS)
      const answer = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal }).catch(() => null)
      if (answer !== null && answer.status < 500) window.location.reload()
    }
    const timer = setInterval(() => void openWhenReached(), ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p role="status" className="bg-warn-soft px-4 py-2.5 text-center text-sm text-warn-ink">
      {fillMarks(m.not_kept_try_again(), {
        link: (inner) => (
          <a href={window.location.href} className="font-medium underline">
            {inner}
          </a>
        ),
      })}
    </p>
  )
}

function NothingKept() {
  return (
    <Notice icon={HardDriveDownload} title={m.nothing_is_kept_yet()} level={2}>
      <p>{m.open_a_training_by_its()}</p>
    </Notice>
  )
}

/** Removing is done at once: the link brings the copy back. */
function KeptItem({ copy, onRemove }: { copy: KeptCopy; onRemove: () => void }) {
  const { path, title, sizeBytes, video, checkedAtMs } = copy
  const [nowMs] = useState(Date.now)
  return (
    <li>
      <Card className="flex items-center gap-3 p-4">
        <div className="min-w-0 flex-1">
          <a href={path} className="font-medium wrap-anywhere underline-offset-4 hover:underline">
            {title}
          </a>
          <p className="mt-1 text-sm text-ink-soft tabular-nums">
            {(video === null ? m.kept_without_video : m.kept_up_to_date)({
              size: formatBytes(sizeBytes),
              age: formatAge(checkedAtMs, nowMs, { tag: m.language_tag(), now: m.age_just_now() }),
            })}
          </p>
        </div>
        <Button variant="ghost" size="icon" aria-label={m.remove_title({ title })} onClick={onRemove}>
          <Trash2 aria-hidden="true" className="size-5" />
        </Button>
      </Card>
    </li>
  )
}
