import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { GlossaryAnswer } from '#contract/account.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'

function glossaryQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: [...ORGANIZATION_KEY, 'glossary'],
    queryFn: ({ signal }) => callApi({ path: '/api/account/glossary', schema: GlossaryAnswer, signal }),
  })
}

/** The glossary of the active organization, which all of its modules have besides their own. */
export interface OrganizationWords {
  words: string
  mayChange: boolean
  onChange: (words: string) => void
  /** Stores what was changed; rejects where that failed, after it has said so. */
  save: () => Promise<void>
}

/** @param isOn whether the module belongs to the active organization; otherwise nothing is asked for */
export function useOrganizationWords(isOn: boolean): OrganizationWords | null {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { data } = useQuery({ ...glossaryQuery(callApi), enabled: isOn })
  const [typed, setTyped] = useState<string | null>(null)
  const change = useMutation({
    mutationFn: (words: string) =>
      callApi({ path: '/api/account/glossary', method: 'PUT', body: { words }, schema: Done }),
    onError: (error) => toast.error(m.failed_to_save_the_settings(), { description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: glossaryQuery(callApi).queryKey }),
  })
  if (data === undefined) return null
  const words = typed ?? data.words
  return {
    words,
    mayChange: data.mayChange,
    onChange: setTyped,
    save: async () => {
      if (words.trim() !== data.words) await change.mutateAsync(words.trim())
    },
  }
}
