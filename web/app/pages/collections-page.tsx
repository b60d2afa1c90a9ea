import { useQuery } from '@tanstack/react-query'
import { Layers, Lock, Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { ListedCollection } from '#contract/collection.ts'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { collectionsQuery, useMakeCollection } from '#web/features/collection/collection-queries.ts'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'
import { ownCollectionPath } from '../shared/paths.ts'

export function CollectionsPage() {
  usePageTitle(m.collections())
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-10 sm:px-6 sm:py-14">
      <h1 className="text-3xl font-semibold">{m.collections()}</h1>
      <p className="mt-2 mb-8 text-ink-soft">{m.modules_for_one_machine_or()}</p>
      <NewCollectionForm />
      <CollectionList />
    </div>
  )
}

function NewCollectionForm() {
  const navigate = useNavigate()
  const id = useId()
  const [title, setTitle] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const make = useMakeCollection((made) => navigate(ownCollectionPath(made.id)))
  const isMissing = isRefused && title.trim() === ''
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsRefused(true)
    if (title.trim() !== '' && !make.isPending) make.mutate({ title: title.trim() })
  }
  return (
    <form onSubmit={submit}>
      <FormField id={id} label={m.new_collection()} problem={isMissing ? m.a_title_is_required() : undefined}>
        {(links) => (
          <div className="flex flex-wrap gap-2">
            <Input
              {...links}
              value={title}
              maxLength={MODULE_TITLE_MAX_CHARS}
              placeholder={m.filling_machine_line_4()}
              autoComplete="off"
              onChange={({ target }) => setTitle(target.value)}
              className="min-w-40 flex-1 basis-40"
            />
            <Button type="submit" isBusy={make.isPending}>
              {!make.isPending && <Plus aria-hidden="true" className="size-4" />}
              {m.create()}
            </Button>
          </div>
        )}
      </FormField>
    </form>
  )
}

function CollectionList() {
  const { data, error, isPending, isPaused, isFetching, refetch } = useQuery(collectionsQuery(useApi()))
  if (data === undefined) {
    if (isPaused) return <Notice icon={Layers} role="status" level={2} title={m.you_are_offline()} />
    if (isPending) {
      return (
        <div className="mt-8">
          <Skeleton className="h-40 rounded-card" />
          <StillLoading what={m.your_collections()} />
        </div>
      )
    }
    return (
      <ListFailed title={m.failed_to_load_collections()} {...{ error }} isBusy={isFetching} onRetry={() => refetch()} />
    )
  }
  if (data.length === 0) {
    return (
      <Notice icon={Layers} level={2} title={m.no_collections_yet()}>
        <p>{m.create_one_add_modules_to()}</p>
      </Notice>
    )
  }
  return (
    <ul className="mt-8 grid grid-cols-1 gap-3">
      {data.map((collection) => (
        <li key={collection.id}>
          <CollectionCard collection={collection} />
        </li>
      ))}
    </ul>
  )
}

function CollectionCard({ collection: { id, title, shared, moduleCount } }: { collection: ListedCollection }) {
  return (
    <Card className="relative p-4 transition-shadow duration-200 hover:shadow-lift">
      <h2 className="font-semibold wrap-anywhere">
        <Link to={ownCollectionPath(id)} className="rounded-chip after:absolute after:inset-0 hover:underline">
          {title}
        </Link>
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-sm text-ink-soft tabular-nums">
        {m.module_count({ count: moduleCount })}
        {!shared && (
          <span className="inline-flex items-center gap-1">
            <Lock aria-hidden="true" className="size-3.5" />
            {m.sharing_is_off()}
          </span>
        )}
      </p>
    </Card>
  )
}
