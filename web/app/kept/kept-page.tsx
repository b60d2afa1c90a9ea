import { HardDriveDownload, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  canKeep,
  findCopy,
  formatAge,
  type KeptCopy,
  listCopies,
  measureStorage,
  removeCopy,
  sweepAll,
  withCopy,
} from '#web/features/kept/kept-copy.ts'
import { type CopyNews, refreshCopy } from '#web/features/kept/make-copy.ts'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { listen } from '#web/lib/browser-state.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ThemeButton } from '#web/ui/theme-select.tsx'

type Storage = Awaited<ReturnType<typeof measureStorage>>

interface KeptState {
  /** Null while they are read. */
  copies: readonly KeptCopy[] | null
  storage: Storage
  /** Titles of copies that went with their links, while this page was open. */
  gone: readonly string[]
}

/** What is kept, brought up to date where the network allows it. */
function useCopies() {
  const [state, setState] = useState<KeptState>({ copies: null, storage: null, gone: [] })
  const [failure, setFailure] = useState<Error | null>(null)
  if (failure !== null) throw failure

  async function read() {
    const [copies, storage] = await Promise.all([listCopies(), measureStorage()])
    setState((before) => ({ ...before, copies, storage }))
    return copies
  }
  async function refresh(copy: KeptCopy): Promise<CopyNews> {
    const news = await refreshCopy(copy)
    if (news === 'gone') {
      await remove(copy)
      setState((before) => ({ ...before, gone: [...before.gone, copy.title] }))
    } else if (news !== 'unreachable') await read()
    return news
  }
  async function remove(copy: KeptCopy) {
    await withCopy(copy.path, () => removeCopy(copy.path))
    await read()
  }
  useEffect(() => {
    if (!canKeep()) return setState((before) => ({ ...before, copies: [] }))
    const refreshAll = async () => {
      await sweepAll()
      for (const copy of await read()) if (navigator.onLine) await refresh(copy)
      const page = await findCopy(window.location.pathname)
      if (page !== null && navigator.onLine) await refreshCopy(page)
    }
    const begin = () => void refreshAll().catch(setFailure)
    begin()
    return listen(window, { online: begin })
    // oxlint-disable-next-line react/exhaustive-deps -- once, and whenever the network is back
  }, [])
  return { ...state, remove: (copy: KeptCopy) => void remove(copy).catch(setFailure) }
}

/** `/kept`: the trainings that this device opens without a network. */
export function KeptPage() {
  const { copies, storage, gone, remove } = useCopies()
  return (
    <main className="flex-1">
      <OfflineBanner />
      <div className="mx-auto w-full max-w-2xl px-4 pt-3 pb-10">
        <header className="flex items-center justify-between gap-4">
          <a href="/" className="inline-flex rounded-control">
            <Logo />
          </a>
          <ThemeButton />
        </header>
        <h1 className="mt-4 text-xl font-semibold sm:text-2xl">Kept on this phone</h1>
        <div role="status">
          {gone.map((title) => (
            <p
              key={title}
              className="mt-3 rounded-control bg-warn-soft px-4 py-2.5 text-sm wrap-anywhere text-warn-ink"
            >
              “{title}” is not shared any more. Its copy was removed.
            </p>
          ))}
        </div>
        {copies === null ? (
          <LoadingSkeleton what="what is kept" className="mt-5 h-24 rounded-card" />
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
                {formatBytes(storage.usedBytes)} used, about {formatBytes(storage.freeBytes)} left
              </p>
            )}
          </>
        )}
      </div>
    </main>
  )
}

function NothingKept() {
  return (
    <Notice icon={HardDriveDownload} title="Nothing is kept yet" level={2}>
      <p>Open a training by its link or code, and choose “Keep on this phone” below its steps.</p>
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
            {formatBytes(sizeBytes)}
            {video === null && ', without the video'} · up to date {formatAge(checkedAtMs, nowMs)}
          </p>
        </div>
        <Button variant="ghost" size="icon" aria-label={`Remove ${title}`} onClick={onRemove}>
          <Trash2 aria-hidden="true" className="size-5" />
        </Button>
      </Card>
    </li>
  )
}
