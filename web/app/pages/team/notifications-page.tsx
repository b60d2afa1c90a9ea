import { useQuery } from '@tanstack/react-query'
import * as m from '#messages'
import { MailCard } from '#web/features/people/mail-card.tsx'
import { MatrixKeyCard } from '#web/features/people/matrix-key-card.tsx'
import { notificationsQuery } from '#web/features/people/notification-queries.ts'
import { WebhookCard } from '#web/features/people/webhook-card.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'

/** Who is reminded by mail, which other system is told, and which may read. */
export function NotificationsPage() {
  usePageTitle(m.notifications_tab())
  const { data, error, isPending, isFetching, refetch } = useQuery(notificationsQuery(useApi()))
  if (data === undefined && isPending)
    return <LoadingSkeleton what={m.notifications_tab()} className="h-80 rounded-card" />
  if (data === undefined)
    return (
      <ListFailed
        title={m.failed_to_load_what({ what: m.notifications_tab() })}
        error={error}
        isBusy={isFetching}
        onRetry={() => refetch()}
      />
    )
  return (
    <div className="grid grid-cols-1 gap-6">
      <MailCard {...data} />
      <WebhookCard webhook={data.webhook} />
      <MatrixKeyCard hasKey={data.hasMatrixKey} />
    </div>
  )
}
