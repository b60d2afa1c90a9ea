import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Done } from '#contract/module.ts'
import { Publishers, PublishersAnswer, type PublishersEdit } from '#contract/review.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Card } from '#web/ui/card.tsx'
import { FormField, Select } from '#web/ui/form-controls.tsx'
import { Switch } from '#web/ui/switch.tsx'

const CHOICES: Record<Publishers, () => string> = {
  anyone: m.publishers_anyone,
  owner: m.publishers_owner,
  approvers: m.publishers_approvers,
  four_eyes: m.publishers_four_eyes,
}

const RULES_KEY = [...ORGANIZATION_KEY, 'publishers'] as const
const PATH = '/api/account/publishers'

/** Lets those who manage an organization set what is published of all its trainings, and by whom. */
export function PublishingRulesCard({ moduleId }: { moduleId: string }) {
  const id = useId()
  const callApi = useApi()
  const { data } = useQuery({
    queryKey: RULES_KEY,
    queryFn: ({ signal }) => callApi({ path: PATH, schema: PublishersAnswer, signal }),
  })
  const changePublishers = useChangeRules(moduleId, m.failed_to_change_who_may_publish())
  const changeNewTrainings = useChangeRules(moduleId, m.failed_to_change_new_trainings())
  if (data === undefined || !data.mayChange) return null
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <h2 className="font-semibold">{m.all_trainings_of_the_organization()}</h2>
      <FormField id={id} label={m.who_may_publish()}>
        {(links) => (
          <Select
            {...links}
            value={data.publishers}
            onChange={({ target }) => changePublishers.mutate({ publishers: Publishers.parse(target.value) })}
          >
            {Publishers.options.map((option) => (
              <option key={option} value={option}>
                {CHOICES[option]()}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      <Switch
        label={m.new_trainings_publish_versions()}
        description={m.new_trainings_publish_versions_explained()}
        isOn={data.publishesVersions}
        onChange={(publishesVersions) => changeNewTrainings.mutate({ publishesVersions })}
      />
    </Card>
  )
}

/** @param failure what is said where the change is refused */
function useChangeRules(moduleId: string, failure: string) {
  const callApi = useApi()
  return useOptimisticMutation({
    mutationFn: (body: PublishersEdit) => callApi({ path: PATH, method: 'PUT', body, schema: Done }),
    edits: (edit) => [makeEdit<PublishersAnswer>(RULES_KEY, (answer) => ({ ...answer, ...edit }))],
    stale: () => [RULES_KEY, ['versions', moduleId]],
    failure,
  })
}
