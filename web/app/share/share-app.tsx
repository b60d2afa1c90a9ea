import { Suspense, useEffect, useState } from 'react'
import type { SharePageData } from '#contract/share-page.ts'
import * as m from '#messages'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { ShareFailed, ShareSkeleton } from '#web/features/share/share-loading.tsx'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { useStore } from '#web/lib/use-store.ts'
import { ShareStore } from './share-store.ts'
import { SharedTraining } from './shared-training.tsx'
import type { WithoutTrainingProps } from './without-training.tsx'

const LateWithout = lazyPart(() => import('./without-training.tsx').then((part) => part.WithoutTraining))

/** With a boundary of its own: one around the training would take its video out of the page whenever a part comes late. */
function WithoutTraining(props: WithoutTrainingProps) {
  return (
    <Suspense fallback={<ShareSkeleton />}>
      <LateWithout {...props} />
    </Suspense>
  )
}

interface ShareAppProps {
  moduleId: string
  look: SharePageData['look']
  /** What the page's HTML brought along. */
  first: SharePageData | null
}

/** `/share/{moduleId}` and `/embed/{moduleId}`: for anyone with the link, without an account. */
export function ShareApp({ moduleId, look, first }: ShareAppProps) {
  const [store] = useState(() => new ShareStore(moduleId, first))
  useEffect(() => document.getElementById('keep')?.addEventListener('click', openKeep), [])
  return (
    <main className="flex-1">
      <OfflineBanner />
      {first?.status === 403 || first?.status === 410 ? (
        <WithoutTraining linkId={moduleId} state={{ kind: 'closed', closed: first.closed }} />
      ) : (
        <ShareContent {...{ moduleId, store, look }} />
      )}
    </main>
  )
}

/** The button stands in the page's HTML, where it costs no script. */
function openKeep() {
  return import('./keep-training.tsx').then((part) => part.openKeep())
}

function ShareContent({ moduleId, store, look }: Omit<ShareAppProps, 'first'> & { store: ShareStore }) {
  useEffect(() => store.open(), [store])
  const state = useStore(store.store)
  usePageTitle(
    state.kind === 'shown' ? state.module.title : state.kind === 'loading' ? m.training() : m.not_available(),
  )
  if (state.kind === 'loading') return <ShareSkeleton />
  if (state.kind === 'failed') return <ShareFailed isRetrying={state.isRetrying} onRetry={store.retry} />
  if (state.kind === 'missing') return <WithoutTraining linkId={moduleId} state={state} />
  const { module } = state
  const isReady =
    module.steps.length > 0 || (module.status !== 'FAILED' && (module.status !== 'PROCESSING' || module.hasVideo))
  if (!isReady) return <WithoutTraining linkId={moduleId} state={state} />
  return <SharedTraining module={module} look={look} onVideoError={store.check} />
}
