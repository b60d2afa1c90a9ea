import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Plus, Share2, TextCursorInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import type { Collection, CollectionPatch } from '#contract/collection.ts'
import { COLLECTION_MODULES_MAX, MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
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
  usePageTitle(data?.title ?? 'Collection')
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-8 sm:px-6 sm:py-12">
      <Link
        to="/collections"
        className="mb-4 inline-flex min-h-8 items-center gap-1.5 rounded-chip text-sm font-medium text-brand-ink hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Collections
      </Link>
      {data !== undefined ? (
        <OpenCollection key={data.id} collection={data} />
      ) : isPending ? (
        <>
          <Skeleton className="h-60 rounded-card" />
          <StillLoading what="the collection" />
        </>
      ) : error instanceof ApiError && error.status === 404 ? (
        <Notice
          icon={Trash2}
          role="alert"
          title="Collection Not Found"
          actions={<ButtonLink to="/collections">Go to Collections</ButtonLink>}
        >
          <p>This collection could not be found or is no longer available.</p>
        </Notice>
      ) : (
        <ListFailed title="Failed to load the collection" error={error} isBusy={isFetching} onRetry={() => refetch()} />
      )}
    </div>
  )
}

/** What can be done with a whole collection, each in a dialog or a field of its own. */
type Opened = 'share' | 'add' | 'rename' | 'delete'

function OpenCollection({ collection }: { collection: Collection }) {
  const { id, title, modules } = collection
  const [open, setOpen] = useState<Opened | null>(null)
  const change = useChangeCollection(id)
  const navigate = useNavigate()
  const remove = useDeleteCollection(id, () => navigate('/collections'))
  const heading = useFocusWhenFewer(modules.length)
  const close = () => setOpen(null)
  function apply(patch: CollectionPatch, shown: Partial<Collection>) {
    change.mutate({ patch, after: { ...collection, ...shown } })
  }
  const setModules = (next: Module[]) => apply({ moduleIds: next.map((each) => each.id) }, { modules: next })
  const onOpenChange = (isOpen: boolean) => !isOpen && close()
  return (
    <>
      {open === 'rename' ? (
        <TitleEditor
          value={title}
          label="Title of the collection"
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
        title="Delete this collection?"
        description="Its link and its code stop working for good. The modules in it stay as they are."
        confirmLabel="Delete"
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
        Share
      </Button>
      <Button
        variant="secondary"
        disabled={collection.modules.length >= COLLECTION_MODULES_MAX}
        onClick={() => onOpen('add')}
      >
        <Plus aria-hidden="true" className="size-4" />
        Add modules
      </Button>
      <Button variant="ghost" onClick={() => onOpen('rename')}>
        <TextCursorInput aria-hidden="true" className="size-4" />
        Rename
      </Button>
      {collection.mayDelete && (
        <Button variant="ghost" className="hover:text-danger-ink" onClick={() => onOpen('delete')}>
          <Trash2 aria-hidden="true" className="size-4" />
          Delete
        </Button>
      )}
    </div>
  )
}
