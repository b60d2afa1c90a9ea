import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Grid3x3, Printer, Table } from 'lucide-react'
import { useState } from 'react'
import type { MatrixAnswer, MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { collectionsQuery } from '#web/features/collection/collection-queries.ts'
import { MatrixCards } from '#web/features/matrix/matrix-cards.tsx'
import { MatrixFilterFields } from '#web/features/matrix/matrix-filters.tsx'
import { MatrixPaper } from '#web/features/matrix/matrix-paper.tsx'
import { type MatrixFilters, matrixQuery } from '#web/features/matrix/matrix-query.ts'
import { MatrixTable } from '#web/features/matrix/matrix-table.tsx'
import { StateLegend } from '#web/features/matrix/state-legend.tsx'
import { writeCsv } from '#web/features/matrix/write-csv.ts'
import { useApi } from '#web/lib/api.ts'
import { useMediaQuery } from '#web/lib/browser-state.ts'
import { saveFile } from '#web/lib/download.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'
import { LatePart } from '../../shared/late-part.tsx'

const SignOffDialog = lazyPart(async () => (await import('#web/features/matrix/sign-off-dialog.tsx')).SignOffDialog)

/** Who has done which training, who is late, and what has to be signed off. */
export function MatrixPage() {
  usePageTitle(m.matrix_tab())
  const [filters, setFilters] = useState<MatrixFilters>({})
  const { data, error, isFetching, isPlaceholderData, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...matrixQuery(useApi(), filters),
    placeholderData: (before) => before,
  })
  const { data: collections = [] } = useQuery(collectionsQuery(useApi()))
  const [opened, setOpened] = useState<{ person: MatrixPerson; training: MatrixTraining } | null>(null)
  if (data === undefined) {
    if (error === null) return <LoadingSkeleton what={m.matrix_region()} className="h-80 rounded-card" />
    return <ListFailed title={m.matrix_failed_to_load()} {...{ error }} isBusy={isFetching} onRetry={() => refetch()} />
  }
  const [first] = data.pages
  if (first === undefined) return null
  const people = data.pages.flatMap((page) => page.people)
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid grid-cols-1 gap-4 print:hidden">
        <MatrixFilterFields {...{ filters, collections }} groups={first.groups} onChange={setFilters} />
        {people.length > 0 && <MatrixActions filters={filters} />}
      </div>
      {first.isCut && <p className="text-sm text-ink-soft">{m.matrix_is_cut({ count: first.trainings.length })}</p>}
      <Matrix
        {...{ people, filters }}
        trainings={first.trainings}
        isStale={isPlaceholderData}
        hasMore={hasNextPage}
        onOpen={(person, training) => setOpened({ person, training })}
      />
      {hasNextPage && (
        <Button
          variant="secondary"
          isBusy={isFetching}
          onClick={() => fetchNextPage()}
          className="justify-self-center print:hidden"
        >
          {m.matrix_next_people()}
        </Button>
      )}
      {opened !== null && (
        <LatePart what={m.this_training()} skeleton={null}>
          <SignOffDialog
            subject={{ personId: opened.person.id, moduleId: opened.training.id }}
            person={opened.person.name}
            onClose={() => setOpened(null)}
          />
        </LatePart>
      )}
    </div>
  )
}

interface MatrixViewProps {
  trainings: MatrixAnswer['trainings']
  people: MatrixPerson[]
  filters: MatrixFilters
  /** What is shown belongs to earlier filters. */
  isStale: boolean
  /** Whether there are people who are not loaded. */
  hasMore: boolean
  onOpen: (person: MatrixPerson, training: MatrixTraining) => void
}

function Matrix({ trainings, people, filters, isStale, hasMore, onOpen }: MatrixViewProps) {
  const isWide = useMediaQuery('(min-width: 40rem)')
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  if (people.length === 0 && isFiltered) return <Notice icon={Grid3x3} level={2} title={m.matrix_nobody_matches()} />
  if (people.length === 0 || trainings.length === 0) {
    return (
      <Notice icon={Grid3x3} level={2} title={m.matrix_is_empty()}>
        <p>{m.matrix_is_empty_explained()}</p>
      </Notice>
    )
  }
  const View = isWide ? MatrixTable : MatrixCards
  return (
    <div
      aria-busy={isStale}
      // The signs have their colours on paper too.
      className="grid min-w-0 grid-cols-1 gap-4 [print-color-adjust:exact] aria-busy:opacity-60"
    >
      <div className="grid min-w-0 grid-cols-1 print:hidden">
        <View {...{ trainings, people, onOpen }} />
      </div>
      <MatrixPaper {...{ trainings, people, hasMore }} />
      <StateLegend />
    </div>
  )
}

/** Paper and spreadsheets have everybody, so the pages that are not loaded yet come first. */
function MatrixActions({ filters }: { filters: MatrixFilters }) {
  const query = useInfiniteQuery({ ...matrixQuery(useApi(), filters), enabled: false })
  const loadAll = async () => {
    let { data, hasNextPage } = query
    while (hasNextPage) ({ data, hasNextPage } = await query.fetchNextPage({ throwOnError: true }))
    return data?.pages ?? []
  }
  const csv = useMutation({
    mutationFn: loadAll,
    onSuccess: (pages) => {
      const text = writeCsv(
        pages[0]?.trainings ?? [],
        pages.flatMap(({ people }) => people),
      )
      saveFile(new Blob([text], { type: 'text/csv' }), 'matrix.csv')
    },
  })
  const print = useMutation({ mutationFn: loadAll, onSuccess: () => requestAnimationFrame(() => window.print()) })
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="secondary" size="small" isBusy={csv.isPending} onClick={() => csv.mutate()}>
        <Table aria-hidden="true" className="size-4" />
        {m.matrix_download()}
      </Button>
      <Button variant="secondary" size="small" isBusy={print.isPending} onClick={() => print.mutate()}>
        <Printer aria-hidden="true" className="size-4" />
        {m.print_action()}
      </Button>
    </div>
  )
}
