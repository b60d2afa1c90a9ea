import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { toast } from 'sonner'
import { Done, type Module } from '#contract/module.ts'
import { LANGUAGES, type LanguageStatus, LanguagesAnswer, type LanguageTag } from '#contract/translation.ts'
import { type CallApi, quotaSentence, useApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { StillLoading } from '#web/ui/loading.tsx'
import { Switch } from '#web/ui/switch.tsx'

/** How often a translation that is in progress is looked at. */
const POLL_MS = 2_000

const TranslationEditor = lazyPart(async () => (await import('./translation-editor.tsx')).TranslationEditor)

/** The languages of a training, and how far each is translated. */
export function languagesQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['languages', moduleId],
    queryFn: ({ signal }) =>
      callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}/languages`, schema: LanguagesAnswer, signal }),
    refetchInterval: ({ state }) => (state.data?.languages.some((each) => each.isInProgress) ? POLL_MS : false),
  })
}

/** Into which languages a training is translated, for its owner. */
export function LanguageSettings({ moduleId }: { moduleId: string }) {
  const callApi = useApi()
  const { data, isPending, error } = useQuery(languagesQuery(callApi, moduleId))
  const change = useSwitchLanguages(moduleId)
  return (
    <section aria-labelledby="languages-of-training" className="grid gap-4">
      <div>
        <h3 id="languages-of-training" className="text-sm font-medium">
          Languages
        </h3>
        <p className="mt-0.5 text-sm text-ink-soft">
          {data === undefined || data.whyNone !== null
            ? (data?.whyNone ?? 'Learners can read the training in their own language.')
            : `Learners read the training in the language of their device. ${data.engine} translates; numbers, units and “not” are checked.`}
        </p>
      </div>
      {isPending && <StillLoading what="languages" />}
      {error && (
        <p role="alert" className="text-sm text-danger-ink">
          The languages could not be loaded. {error.message}
        </p>
      )}
      {data?.languages.map((language) => (
        <LanguageRow
          key={language.tag}
          {...{ moduleId, language }}
          isDisabled={change.isPending}
          onChange={(isOn) => {
            const others = data.languages.filter(({ tag, isOn: isOther }) => isOther && tag !== language.tag)
            change.mutate([...others.map(({ tag }) => tag), ...(isOn ? [language.tag] : [])])
          }}
        />
      ))}
    </section>
  )
}

function useSwitchLanguages(moduleId: Module['id']) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = languagesQuery(callApi, moduleId)
  return useMutation({
    mutationFn: (languages: LanguageTag[]) =>
      callApi({
        path: `/api/modules/${encodeURIComponent(moduleId)}`,
        method: 'PATCH',
        body: { languages },
        schema: Done,
      }),
    onError: (error) =>
      toast.error('Failed to change the languages', { description: quotaSentence(error) ?? error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}

interface LanguageRowProps {
  moduleId: string
  language: LanguageStatus
  isDisabled: boolean
  onChange: (isOn: boolean) => void
}

function LanguageRow({ moduleId, language, isDisabled, onChange }: LanguageRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { tag, isOn, failure, isInProgress } = language
  const name = LANGUAGES[tag]
  return (
    <div className="grid gap-2">
      <Switch label={name} description={describe(language)} isOn={isOn} isDisabled={isDisabled} onChange={onChange} />
      {isOn && (
        <div className="flex flex-wrap gap-2">
          {failure !== null && !isInProgress && (
            // Switching on what is on begins again.
            <Button size="small" disabled={isDisabled} onClick={() => onChange(true)}>
              Try again<span className="sr-only">: {name}</span>
            </Button>
          )}
          <Button variant="secondary" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? `Close ${name}` : `Review ${name}`}
          </Button>
        </div>
      )}
      {isOn && isOpen && (
        <Suspense fallback={<StillLoading what="the translation" />}>
          <TranslationEditor {...{ moduleId, tag, name }} />
        </Suspense>
      )}
    </div>
  )
}

/** Below this a price would read as nothing. */
const LEAST_USD = 0.01

function describe({ isOn, isChecked, usd, total, done, failure, isInProgress, ...counts }: LanguageStatus): string {
  const unchecked = isChecked ? '' : ' Its translations are not checked.'
  if (!isOn) return `${describePrice(usd)}${unchecked}`
  if (failure !== null && !isInProgress) return `${failure} What is translated so far is shown.`
  const attention = [
    counts.keptBack > 0 ? `${counts.keptBack} kept back, shown in the original` : '',
    counts.changed > 0 ? `${counts.changed} changed since you corrected them` : '',
  ].filter(Boolean)
  const state = isInProgress ? 'Translating: ' : counts.isApproved ? 'Approved: ' : ''
  return `${state}${done} of ${total} parts${attention.length === 0 ? '' : `; ${attention.join('; ')}`}.${unchecked}`
}

function describePrice(usd: number): string {
  if (usd === 0) return 'Costs nothing.'
  const price = usd < LEAST_USD ? `less than $${LEAST_USD}` : `about $${usd.toFixed(2)}`
  return `Costs ${price} of your limit of the day for AI.`
}
