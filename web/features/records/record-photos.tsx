import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { ShownPhoto } from '#contract/records/record-list.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'
import { retryUpTo } from '#web/lib/query-client.ts'
import { SmallPhoto } from '#web/ui/small-photo.tsx'

/** A minute and more: calls of one person are limited by the minute. */
const RETRIES = 7
const RETRY_MS = 10_000

interface RecordPhotosProps {
  /** Number of the record that names them. */
  seq: number
  photos: readonly ShownPhoto[]
}

/** What a supervisor took photos of. */
export function RecordPhotos({ seq, photos }: RecordPhotosProps) {
  if (photos.length === 0) return null
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {photos.map((photo, index) => (
        <RecordPhoto key={photo.hash} photo={photo} label={m.record_photo({ number: index + 1, seq })} />
      ))}
    </div>
  )
}

/** Loaded with the sign-in of the reader: no address of it opens without. */
function RecordPhoto({ photo: { personId, hash }, label }: { photo: ShownPhoto; label: string }) {
  const callApi = useApi()
  const path = `/api/records/photos/${encodeURIComponent(personId)}/${hash}`
  const { data, error } = useQuery({
    queryKey: [...ORGANIZATION_KEY, 'record-photo', personId, hash],
    queryFn: ({ signal }) => callApi({ path, schema: z.instanceof(Blob), answer: 'file', signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Many are asked for at once, and what is printed has all of them. One that is gone is not asked for again.
    ...retryUpTo(RETRIES, () => RETRY_MS),
  })
  // One that was removed with the name of its person is no failure.
  return <SmallPhoto photo={data} label={error === null ? label : `${label}: ${error.message}`} />
}
