import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { toast } from 'sonner'
import { type SignOffSettings, SignOffSettingsAnswer } from '#contract/records/sign-off.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'
import { SectionCard } from '#web/ui/card.tsx'
import { FormField, Select } from '#web/ui/form-controls.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'

const PATH = '/api/sign-off/settings'
const KEY = [...ORGANIZATION_KEY, 'sign-off-settings']

const HOUR_MINUTES = 60
/** From every few signatures to once a shift. */
const CHOICES = [5, 15, 30, 60, 240, 480]

function formatMinutes(minutes: number): string {
  const isHours = minutes % HOUR_MINUTES === 0
  const format = { style: 'unit', unit: isHours ? 'hour' : 'minute', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(m.language_tag(), format).format(isHours ? minutes / HOUR_MINUTES : minutes)
}

/** After which time supervisors are asked for their password again before they sign. */
export function SignOffCard() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const id = useId()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi({ path: PATH, schema: SignOffSettingsAnswer, signal }),
  })
  const change = useMutation({
    mutationFn: (body: SignOffSettings) => callApi({ path: PATH, method: 'PUT', body, schema: SignOffSettingsAnswer }),
    onSuccess: (answer) => {
      queryClient.setQueryData(KEY, answer)
      toast.success(m.saved())
    },
    onError: ({ message }) => toast.error(m.change_failed(), { description: message }),
  })
  if (data === undefined && error === null)
    return <LoadingSkeleton what={m.sign_off_settings()} className="h-40 rounded-card" />
  if (data === undefined) {
    const title = m.failed_to_load_what({ what: m.sign_off_settings() })
    return <ListFailed {...{ title, error }} isBusy={isFetching} onRetry={() => refetch()} />
  }
  const { passwordMinutes } = change.isPending ? change.variables : data
  const choices = [...new Set([...CHOICES, ...(passwordMinutes === null ? [] : [passwordMinutes])])]
  return (
    <SectionCard title={m.sign_off_settings()} className="p-5">
      <div className="mt-4">
        <FormField id={id} label={m.sign_off_password()}>
          {(links) => (
            <Select
              {...links}
              className="sm:max-w-80"
              value={passwordMinutes ?? ''}
              // One that is disabled would lose the focus.
              aria-disabled={change.isPending}
              onChange={({ target: { value } }) =>
                !change.isPending && change.mutate({ passwordMinutes: value === '' ? null : Number(value) })
              }
            >
              <option value="">{m.sign_off_password_never()}</option>
              {choices
                .toSorted((a, b) => a - b)
                .map((minutes) => (
                  <option key={minutes} value={minutes}>
                    {m.sign_off_password_after({ time: formatMinutes(minutes) })}
                  </option>
                ))}
            </Select>
          )}
        </FormField>
      </div>
    </SectionCard>
  )
}
