import type { SharePageData } from '#contract/share-page.ts'
import { ShareEnded, ShareMissing } from '#web/features/share/share-states.tsx'
import { ShareNotAvailable, SharePreparing } from '#web/features/share/unready-states.tsx'
import { ClosedLink } from './closed-link.tsx'
import type { ShareState } from './share-store.ts'

export interface WithoutTrainingProps {
  linkId: string
  /** `closed`: its link does not open it; `shown`: it has no steps so far. */
  state: Extract<ShareState, { kind: 'missing' | 'shown' }> | { kind: 'closed'; closed: SharePageData['closed'] }
}

/** What stands in place of a training that cannot be shown. Few learners load this part. */
export function WithoutTraining({ linkId, state }: WithoutTrainingProps) {
  switch (state.kind) {
    case 'closed':
      return <ClosedLink linkId={linkId} closed={state.closed} />
    case 'missing':
      return state.wasShown ? <ShareEnded /> : <ShareMissing />
    case 'shown': {
      const { module } = state
      return module.status === 'FAILED' ? (
        <ShareNotAvailable title={module.title} />
      ) : (
        <SharePreparing module={module} />
      )
    }
  }
}
