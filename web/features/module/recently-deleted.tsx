import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { RESTORABLE_DAYS } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DeletedList } from './deleted-list.tsx'
import { deletedQuery } from './deleted-query.ts'

/** The way to what was deleted; there is none while there is nothing. */
export function RecentlyDeleted() {
  const [isOpen, setIsOpen] = useState(false)
  const deleted = useQuery(deletedQuery(useApi()))
  const count = deleted.data?.length ?? 0
  if (count === 0 && !deleted.isError && !isOpen) return null
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        {/* Where there is little room, the image and the number say it. */}
        <span className="max-sm:sr-only">Recently deleted</span>
        {count > 0 && <span className="text-ink-faint tabular-nums">{count}</span>}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Recently deleted"
        description={`Deleted modules can be restored for ${RESTORABLE_DAYS} days. Then they are gone, with their videos.`}
      >
        <DeletedList
          modules={deleted.data}
          failure={deleted.error}
          isFetching={deleted.isFetching}
          onRetry={() => void deleted.refetch()}
        />
      </Dialog>
    </>
  )
}
