import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import {
  AcceptInvitationAnswer,
  InvitationsAnswer,
  type NewInvitation,
  NewInvitationAnswer,
} from '#contract/training/invitation.ts'
import * as m from '#messages'
import { type CallApi, quotaSentence, useApi } from '#web/lib/api.ts'
import { MODULE_KEY, OPENED_KEY } from '#web/lib/module-cache.ts'

const pathOf = (moduleId: string) => `/api/invitations/${encodeURIComponent(moduleId)}`
const keyOf = (moduleId: string) => ['invitations', moduleId] as const

/** Who was invited to edit a training. */
export function invitationsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: keyOf(moduleId),
    queryFn: async ({ signal }) =>
      (await callApi({ path: pathOf(moduleId), schema: InvitationsAnswer, signal })).invitations,
  })
}

const sayFailure = (error: Error) =>
  void toast.error(m.failed_to_change_invited(), { description: quotaSentence(error) ?? error.message })

/** Invites somebody, whose link is known only from this answer. */
export function useInvite(moduleId: string) {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  return useMutation({
    mutationFn: (body: NewInvitation) =>
      callApi({ path: pathOf(moduleId), method: 'POST', body, schema: NewInvitationAnswer }),
    onSuccess: ({ invitations }) => queryClient.setQueryData(keyOf(moduleId), invitations),
    onError: sayFailure,
  })
}

/** Removes an invitation, and with it the right of who has accepted it. */
export function useRemoveInvitation(moduleId: string) {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  return useMutation({
    mutationFn: (id: string) =>
      callApi({ path: `${pathOf(moduleId)}/${encodeURIComponent(id)}`, method: 'DELETE', schema: InvitationsAnswer }),
    onSuccess: ({ invitations }) => queryClient.setQueryData(keyOf(moduleId), invitations),
    onError: sayFailure,
  })
}

/** Accepts the invitation of a link. */
export function useAcceptInvitation() {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  return useMutation({
    mutationFn: (body: { key: string; name: string }) =>
      callApi({ path: '/api/invitations/accept', method: 'POST', body, schema: AcceptInvitationAnswer }),
    // It may have been opened by its link before.
    onSuccess: () =>
      Promise.all([OPENED_KEY, MODULE_KEY].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}
