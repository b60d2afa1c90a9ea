import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import {
  MatrixKeyAnswer,
  NotificationsAnswer,
  type NotificationsPatch,
  type Webhook,
  WebhookSecretAnswer,
} from '#contract/team/notifications.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'

const KEY = [...ORGANIZATION_KEY, 'notifications']
const PATH = '/api/notifications'
const WEBHOOK_PATH = `${PATH}/webhook`
const MATRIX_KEY_PATH = `${PATH}/matrix-key`

/** How the organization reminds its people and has others told. */
export function notificationsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi({ path: PATH, schema: NotificationsAnswer, signal }),
    retry: false,
  })
}

/** What is set on the page of notifications. */
type Change = { kind: 'patch'; patch: NotificationsPatch } | { kind: 'remove-webhook' | 'remove-key' | 'retry' }

function requestOf(change: Change) {
  if (change.kind === 'patch') return { path: PATH, method: 'PATCH', body: change.patch } as const
  if (change.kind === 'remove-key') return { path: MATRIX_KEY_PATH, method: 'DELETE' } as const
  if (change.kind === 'remove-webhook') return { path: WEBHOOK_PATH, method: 'DELETE' } as const
  return { path: `${WEBHOOK_PATH}/retry`, method: 'POST' } as const
}

/** Changes what is set; the answer is what is set then. */
export function useChangeNotifications() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => callApi({ ...requestOf(change), schema: NotificationsAnswer }),
    onSuccess: (answer) => queryClient.setQueryData(KEY, answer),
    onError: (error) => toast.error(m.change_failed(), { description: error.message }),
  })
}

/** Sets the address of the webhook, which gets a new secret. */
export function useSaveWebhook(onSecret: (secret: string) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ url }: Pick<Webhook, 'url'>) =>
      callApi({ path: WEBHOOK_PATH, method: 'PUT', body: { url }, schema: WebhookSecretAnswer }),
    onSuccess: ({ secret }) => onSecret(secret),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
}

/** Makes the key with which another system reads the matrix; an earlier one is replaced. */
export function useMakeMatrixKey(onKey: (key: string) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callApi({ path: MATRIX_KEY_PATH, method: 'PUT', schema: MatrixKeyAnswer }),
    onSuccess: ({ key }) => onKey(key),
    onError: (error) => toast.error(m.change_failed(), { description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
}
