import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Plus, Share2, TextCursorInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import type { Collection, CollectionPatch } from '#contract/collection.ts'
import { COLLECTION_MODULES_MAX, MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import {
  collectionQuery,
  useChangeCollection,
  useDeleteCollection,
} from '#web/features/collection/collection-queries.ts'
import { ShareCollection } from '#web/features/share/share-collection.tsx'
import { useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { TitleEditor } from '#web/ui/form-controls.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'
import { AddModules } from './collection-add.tsx'
import { CollectionModules } from './collection-modules.tsx'

/** One collection of the person: what is in it, in which order, and who can open it. */
export function CollectionPage() {
  const { collectionId = '' } = useParams()
  const { data, error, isPending, isFetching, refetch } = useQuery(collectionQuery(useApi(), collectionId))
  usePageTitle(data?.title ?? m.collection_region())
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-8 sm:px-6 sm:py-12">
      <Link
        to="/collections"
        className="mb-4 inline-flex min-h-8 items-center gap-1.5 rounded-chip text-sm font-medium text-brand-ink hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.collections()}
      </Link>
      {data !== undefined ? (
        <OpenCollection key={data.id} collection={data} />
      ) : isPending ? (
        <>
          <Skeleton className="h-60 rounded-card" />
          <StillLoading what={m.the_collection()} />
        </>
      ) : error instanceof ApiError && error.status === 404 ? (
        <Notice
          icon={Trash2}
          role="alert"
          title={m.collection_not_found()}
          actions={<ButtonLink to="/collections">{m.go_to_collections()}</ButtonLink>}
        >
          <p>{m.this_collection_could_not_be()}</p>
        </Notice>
      ) : (
        <ListFailed
          title={m.failed_to_load_the_collection()}
          error={error}
          isBusy={isFetching}
          onRetry={() => refetch()}
        />
      )}
    </div>
  )
}

/** Actions on a whole collection, each with its own dialog or field. */
type Opened = 'share' | 'add' | 'rename' | 'delete'

function OpenCollection({ collection }: { collection: Collection }) {
  const { id, title, modules } = collection
  const [open, setOpen] = useState<Opened | null>(null)
  const change = useChangeCollection(id)
  const navigate = useNavigate()
  const remove = useDeleteCollection(id, () => navigate('/collections'))
  const heading = useFocusWhenFewer(modules.length)
  const close = () => setOpen(null)
  function apply(patch: CollectionPatch, changedFields: Partial<Collection>) {
    change.mutate({ patch, shown: changedFields })
  }
  const setModules = (next: Module[]) => apply({ moduleIds: next.map((each) => each.id) }, { modules: next })
  const onOpenChange = (isOpen: boolean) => !isOpen && close()
  return (
    <>
      {open === 'rename' ? (
        <TitleEditor
          value={title}
          label={m.title_of_the_collection()}
          maxChars={MODULE_TITLE_MAX_CHARS}
          onSave={(next) => {
            close()
            apply({ title: next }, { title: next })
          }}
          onCancel={close}
        />
      ) : (
        <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold wrap-anywhere focus:outline-none">
          {title}
        </h1>
      )}
      <CollectionActions collection={collection} onOpen={setOpen} />
      <CollectionModules modules={modules} onChange={setModules} />
      <AddModules {...{ modules, onOpenChange }} isOpen={open === 'add'} onChange={setModules} />
      <ShareCollection
        {...{ collection, onOpenChange }}
        isOpen={open === 'share'}
        onShared={(shared) => apply({ shared }, { shared })}
      />
      <AlertDialog
        isOpen={open === 'delete'}
        onOpenChange={onOpenChange}
        title={m.delete_this_collection()}
        description={m.its_link_and_its_code()}
        confirmLabel={m.delete_action()}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}

interface CollectionActionsProps {
  collection: Collection
  onOpen: (what: Opened) => void
}

function CollectionActions({ collection, onOpen }: CollectionActionsProps) {
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button onClick={() => onOpen('share')}>
        <Share2 aria-hidden="true" className="size-4" />
        {m.share_action()}
      </Button>
      <Button
        variant="secondary"
        disabled={collection.modules.length >= COLLECTION_MODULES_MAX}
        onClick={() => onOpen('add')}
      >
        <Plus aria-hidden="true" className="size-4" />
        {m.add_modules()}
      </Button>
      <Button variant="ghost" onClick={() => onOpen('rename')}>
        <TextCursorInput aria-hidden="true" className="size-4" />
        {m.rename_action()}
      </Button>
      {collection.mayDelete && (
        <Button variant="ghost" className="hover:text-danger-ink" onClick={() => onOpen('delete')}>
          <Trash2 aria-hidden="true" className="size-4" />
          {m.delete_action()}
        </Button>
      )}
    </div>
  )
}
