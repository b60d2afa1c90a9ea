import { useMutation } from '@tanstack/react-query'
import { Image } from 'lucide-react'
import { useEffect } from 'react'
import { toast } from 'sonner'
import { z } from 'zod'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { photoPath } from './step-reports-query.ts'

/** The photo of a report, loaded when it is asked for: no address of it opens without the sign-in of an owner. */
export function ReportPhoto({ moduleId, reportId }: { moduleId: string; reportId: string }) {
  const callApi = useApi()
  const path = photoPath(moduleId, reportId)
  const photo = useMutation({
    mutationFn: async () => URL.createObjectURL(await callApi({ path, schema: z.instanceof(Blob), answer: 'file' })),
    onError: (error) => toast.error(m.photo_could_not_be_loaded(), { description: error.message }),
  })
  const url = photo.data
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  if (url !== undefined) return <img src={url} alt={m.photo_of_report()} className="my-1.5 max-h-80 rounded-control" />
  return (
    <Button
      variant="ghost"
      size="small"
      isBusy={photo.isPending}
      onClick={() => photo.mutate()}
      className="-ms-2 px-2!"
    >
      <Image aria-hidden="true" className="size-4" />
      {m.show_the_photo()}
    </Button>
  )
}
