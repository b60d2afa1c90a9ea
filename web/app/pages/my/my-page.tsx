import { QueryClientProvider, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2Off, UsersRound } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { toast } from 'sonner'
import { OWN_PATH } from '#contract/share-page.ts'
import type { OwnTraining } from '#contract/team/my-trainings.ts'
import * as m from '#messages'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { formatAge, listCopies } from '#web/features/kept/kept-copy.ts'
import { forgetDevice } from '#web/features/learning/forget-device.ts'
import { forgetOwn } from '#web/features/learning/own-modules.ts'
import { CodeForm } from '#web/features/my/code-form.tsx'
import {
  keptQuery,
  leave,
  OWN_KEY,
  openLink,
  ownQuery,
  readKeptOwn,
  useSendingConfirmed,
} from '#web/features/my/my-queries.ts'
import { OwnTrainings } from '#web/features/my/own-trainings.tsx'
import { listen, listStored } from '#web/lib/browser-state.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { makeQueryClient } from '#web/lib/query-client.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingScreen } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import { signOffPath } from '../../shared/paths.ts'

const AsAccount = lazyPart(async () => (await import('./as-account.tsx')).AsAccount)

/** What stands behind `#` in the address of a personal link or of a shared device; null for the page alone. */
function readKey(hash: string): string | null {
  const key = hash.replace(/^#/, '')
  return key.startsWith('p-') || key.startsWith('g-') ? key : null
}

/** What the person of this device is to be trained on: signed in, by a personal link, or by a code. */
export function MyPage() {
  usePageTitle(m.my_trainings())
  const [key, setKey] = useState(() => readKey(window.location.hash))
  // A link that is opened in the same tab changes the address only.
  useEffect(() => listen(window, { hashchange: () => setKey((before) => readKey(window.location.hash) ?? before) }), [])
  const [queryClient] = useState(makeQueryClient)
  const visitor = useVisitor()
  return (
    <QueryClientProvider client={queryClient}>
      <div className="mx-auto w-full max-w-2xl flex-1 px-4 py-8 sm:px-6 sm:py-12">
        {key !== null ? (
          <ByLink key={key} linkKey={key} />
        ) : isCopy() && readKeptOwn() !== null ? (
          <Own />
        ) : visitor === 'loading' ? (
          <LoadingScreen />
        ) : visitor === 'signedIn' ? (
          <Suspense fallback={<LoadingScreen />}>
            <AsAccount>
              <Own />
            </AsAccount>
          </Suspense>
        ) : (
          <Own />
        )}
      </div>
      <Toaster />
    </QueryClientProvider>
  )
}

/** Opens the link of the address, which leaves the address where it is one person's. */
function ByLink({ linkKey }: { linkKey: string }) {
  const queryClient = useQueryClient()
  const [replaces, setReplaces] = useState(false)
  const [isKept, setIsKept] = useState(false)
  const opened = useQuery({
    queryKey: [...OWN_KEY, 'link', linkKey, replaces],
    queryFn: async () => {
      const answer = await openLink(linkKey, replaces)
      const isInAddress = readKey(window.location.hash) === linkKey
      if (answer.kind !== 'group' && isInAddress) window.history.replaceState(null, '', window.location.pathname)
      // What is remembered may be the last person's.
      queryClient.removeQueries({ queryKey: OWN_KEY, exact: true, type: 'inactive' })
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  // Without a network, whose link it is shows only in what this device has kept of it.
  const { data: isKeptPage } = useQuery(keptQuery(linkKey))
  const isUnreached = opened.data === undefined && (opened.isPaused || isCopy())
  if (isUnreached && isKeptPage === true) return <Own />
  if (isUnreached && isKeptPage === false && (opened.isPaused || opened.failureCount > 0))
    return <NobodyHere message={opened.failureReason?.message ?? m.adapt_cannot_be_reached_check()} />
  if (opened.isPending) return <LoadingScreen />
  if (opened.data === undefined) return <NobodyHere message={opened.error.message} />
  const { kind, name, holder = '' } = opened.data
  if (kind === 'person' || isKept) return <Own />
  if (kind === 'other') {
    const onReplace = () => {
      forgetDevice()
      setReplaces(true)
    }
    return <WhoIsHere {...{ name, holder, onReplace }} onKeep={() => setIsKept(true)} />
  }
  const onKnown = () => queryClient.invalidateQueries({ queryKey: ownQuery.queryKey, exact: true })
  return <Own unknown={<CodeForm linkKey={linkKey} name={name} onKnown={() => void onKnown()} />} />
}

interface WhoIsHereProps {
  /** Whose link was opened. */
  name: string
  /** Whose device it is. */
  holder: string
  onReplace: () => void
  onKeep: () => void
}

/** Asks before a link makes the device of one person that of another. */
function WhoIsHere({ name, holder, onReplace, onKeep }: WhoIsHereProps) {
  const actions = (
    <>
      <Button onClick={onReplace}>{m.my_go_on_as({ name })}</Button>
      <Button variant="secondary" onClick={onKeep}>
        {m.my_go_on_as({ name: holder })}
      </Button>
    </>
  )
  return <Notice icon={UsersRound} title={m.my_who_is_here()} actions={actions} />
}

/** Whether this page came from the device (web/kept-worker.ts). */
const isCopy = () => document.documentElement.dataset['kept'] === 'copy'

/** How often it is asked whether what was just sent counts by now. */
const SENT_POLLS = { everyMs: 3_000, most: 20 }

/** What was played and not sent yet lies in the storage until the server has it. */
function untilSent({ state }: { state: { dataUpdateCount: number } }): number | false {
  const isWaiting = state.dataUpdateCount < SENT_POLLS.most && listStored('adapt_played:').length > 0
  return isWaiting && SENT_POLLS.everyMs
}

/** Sends what was played without a network. @param moduleId any of the person's trainings */
function useSending(moduleId: string | undefined): void {
  useEffect(() => {
    if (moduleId === undefined) return
    let end: (() => void) | null = null
    let isOver = false
    void import('../../share/shared-learning-log.ts')
      .then(({ openSharedLearning }) => {
        if (!isOver) end = openSharedLearning(moduleId).open()
      })
      // Without a network it cannot be loaded, and the next visit sends it.
      .catch(() => {})
    return () => {
      isOver = true
      end?.()
    }
  }, [moduleId])
}

/** Keeps the page for times without a network, once it is known to be somebody's. */
function useKeeping(isTheirs: boolean): void {
  useEffect(() => {
    if (!isTheirs || !import.meta.env.PROD || import.meta.env.VITE_KEEP === 'off') return
    void import('#web/features/kept/keep-loaded-page.ts').then((part) => part.keepLoadedPage(OWN_PATH)).catch(() => {})
  }, [isTheirs])
}

/** Paths of the trainings that open without a network. */
const keptPathsQuery = queryOptions({
  queryKey: [...OWN_KEY, 'kept-paths'],
  queryFn: async () => {
    // A private window of some browsers keeps nothing.
    const copies = 'caches' in globalThis ? await listCopies().catch(() => []) : []
    return copies.map(({ path }) => path)
  },
  networkMode: 'always',
})

/** @param canWatch whether any training opens */
function CopyNote({ keptAtMs, canWatch }: { keptAtMs: number; canWatch: boolean }) {
  const [nowMs] = useState(Date.now)
  const age = formatAge(keptAtMs, nowMs, { tag: m.language_tag(), now: m.age_just_now() })
  return (
    <p role="status" className="mb-6 rounded-control bg-warn-soft px-4 py-2.5 text-sm text-warn-ink">
      {m.copy_on_this_device({ since: `${age} (${formatDate(new Date(keptAtMs).toISOString())})` })}
      {canWatch && ` ${m.my_sent_later()}`}
    </p>
  )
}

/** @param unknown what is shown where the device is nobody's */
function Own({ unknown = <NobodyHere /> }: { unknown?: ReactNode }) {
  const queryClient = useQueryClient()
  const query = useQuery({ ...ownQuery, refetchInterval: untilSent })
  const { error, isFetching, refetch } = query
  const isUnreached = query.data === undefined && (isCopy() || query.isPaused || query.failureCount > 0)
  const copy = isUnreached ? readKeptOwn() : null
  const data = copy?.own ?? query.data
  const { data: keptPaths } = useQuery({ ...keptPathsQuery, enabled: copy !== null })
  const canOpen = ({ path }: OwnTraining) => copy === null || keptPaths?.includes(path) === true
  useSending(data?.trainings[0]?.moduleId)
  useSendingConfirmed(data?.personId ?? '')
  useKeeping(query.data !== undefined && query.data !== null)
  if (data === null) return unknown
  if (copy !== null && keptPaths === undefined) return <LoadingScreen />
  if (data === undefined)
    return error === null ? (
      <LoadingScreen />
    ) : (
      <ListFailed
        title={m.failed_to_load_what({ what: m.my_trainings() })}
        error={error}
        isBusy={isFetching}
        onRetry={() => refetch()}
      />
    )
  async function next() {
    try {
      await leave()
    } catch {
      // Without a network the device stays theirs, and says so.
      toast.error(m.adapt_cannot_be_reached_check())
      return
    }
    forgetDevice()
    queryClient.setQueryData(ownQuery.queryKey, null)
  }
  const signOffLinkOf = ({ moduleId }: OwnTraining) =>
    new URL(signOffPath(data.personId, moduleId), window.location.origin).href
  // Whoever owns it too is a learner of it from here.
  const onOpen = ({ moduleId }: OwnTraining) => forgetOwn(moduleId)
  return (
    <>
      {copy !== null && <CopyNote keptAtMs={copy.keptAtMs} canWatch={data.trainings.some(canOpen)} />}
      <OwnTrainings own={data} {...{ canOpen, signOffLinkOf, onOpen }} onNext={() => void next()} />
    </>
  )
}

function NobodyHere({ message }: { message?: string }) {
  return (
    <Notice
      icon={Link2Off}
      title={m.my_open_link_again()}
      actions={
        <ButtonLink to="/sign-in?redirect_url=%2Fmy" variant="secondary">
          {m.sign_in_link()}
        </ButtonLink>
      }
    >
      <p>{message ?? m.my_open_link_again_explained()}</p>
    </Notice>
  )
}
