import { useOrganization } from '@clerk/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowLeft, FileCheck2, Printer } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'
import { ProofAnswer } from '#contract/records/proof.ts'
import * as m from '#messages'
import { ProofSheet } from '#web/features/records/proof-sheet.tsx'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'

function proofQuery(callApi: CallApi, query: string) {
  return queryOptions({
    queryKey: [...ORGANIZATION_KEY, 'training-proof', query],
    queryFn: ({ signal }) => callApi({ path: `/api/records/proof?${query}`, schema: ProofAnswer, signal }),
    retry: false,
  })
}

/** The certificate of a person, or the attendance list of a training, on paper. */
export function ProofPage() {
  const [search] = useSearchParams()
  const { organization } = useOrganization()
  const kind = search.has('person') ? 'person' : 'training'
  const title = kind === 'person' ? m.records_certificate() : m.records_attendance()
  usePageTitle(title)
  const query = new URLSearchParams({ [kind]: search.get(kind) ?? '' }).toString()
  const { data, error, isPending, isFetching, refetch } = useQuery(proofQuery(useApi(), query))
  if (data === undefined && isPending) return <LoadingSkeleton what={title} className="h-96" />
  if (data === undefined) {
    const failed = m.failed_to_load_what({ what: title })
    return <ListFailed title={failed} error={error} isBusy={isFetching} onRetry={() => refetch()} />
  }
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-3 print:hidden">
        <ButtonLink variant="secondary" to={`/team/records?${query}`}>
          <ArrowLeft aria-hidden="true" className="size-4" />
          {m.proof_back()}
        </ButtonLink>
        {data.rows.length > 0 && (
          <Button onClick={() => window.print()}>
            <Printer aria-hidden="true" className="size-4" />
            {m.print_action()}
          </Button>
        )}
      </div>
      {data.rows.length === 0 ? (
        <Notice icon={FileCheck2} level={2} title={m.records_none()} />
      ) : (
        <ProofSheet {...{ kind, title, proof: data }} organization={organization?.name ?? ''} />
      )}
    </>
  )
}
