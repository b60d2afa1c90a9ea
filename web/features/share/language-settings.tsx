import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { toast } from 'sonner'
import { LANGUAGES, type LanguageTag } from '#contract/languages.ts'
import { Done, type Module } from '#contract/module.ts'
import type { LanguageStatus } from '#contract/translation.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from '#web/lib/api.ts'
import { formatUsd } from '#web/lib/format/format-usd.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { fillMarks, HIDDEN } from '#web/ui/fill-marks.tsx'
import { StillLoading } from '#web/ui/loading.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { languagesQuery } from './languages-query.ts'
import { translationFailure, whyNoLanguage } from './translation-sentences.ts'

const TranslationEditor = lazyPart(async () => (await import('./translation-editor.tsx')).TranslationEditor)

/** Into which languages a training is translated, for its owner. */
export function LanguageSettings({ moduleId }: { moduleId: string }) {
  const callApi = useApi()
  const { data, isPending, error } = useQuery(languagesQuery(callApi, moduleId))
  const change = useSwitchLanguages(moduleId)
  return (
    <section aria-labelledby="languages-of-training" className="grid gap-4">
      <div>
        <h3 id="languages-of-training" className="text-sm font-medium">
          {m.languages()}
        </h3>
        <p className="mt-0.5 text-sm text-ink-soft">
          {data === undefined || data.whyNone !== null
            ? data?.whyNone
              ? whyNoLanguage(data.whyNone)
              : m.learners_can_read_the_training()
            : m.learners_read_the_training_in({ engine: data.engine ?? '' })}
        </p>
      </div>
      {isPending && <StillLoading what={m.languages_noun()} />}
      {error && (
        <p role="alert" className="text-sm text-danger-ink">
          {m.the_languages_could_not_be({ message: error.message })}
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
      toast.error(m.failed_to_change_the_languages(), { description: quotaSentence(error) ?? error.message }),
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
              {fillMarks(m.try_again_titled({ name }), HIDDEN)}
            </Button>
          )}
          <Button variant="secondary" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? m.close_name({ name }) : m.review_name({ name })}
          </Button>
        </div>
      )}
      {isOn && isOpen && (
        <Suspense fallback={<StillLoading what={m.the_translation()} />}>
          <TranslationEditor {...{ moduleId, tag, name }} />
        </Suspense>
      )}
    </div>
  )
}

/** Below this a price would read as nothing. */
const LEAST_USD = 0.01

function describe({ isOn, isChecked, usd, total, done, failure, isInProgress, ...counts }: LanguageStatus): string {
  const unchecked = isChecked ? '' : ` ${m.translations_not_checked()}`
  if (!isOn) return `${describePrice(usd)}${unchecked}`
  if (failure !== null && !isInProgress)
    return m.failure_what_is_translated_so({ failure: translationFailure(failure) })
  const attention = [
    counts.keptBack > 0 ? m.kept_back_shown_in_original({ count: counts.keptBack }) : '',
    counts.changed > 0 ? m.changed_since_you_corrected({ count: counts.changed }) : '',
  ].filter(Boolean)
  const say = isInProgress ? m.parts_being_translated : counts.isApproved ? m.parts_approved : m.parts_translated
  return `${say({ done, count: total })}${attention.length === 0 ? '' : `; ${attention.join('; ')}`}.${unchecked}`
}

function describePrice(usd: number): string {
  if (usd === 0) return m.costs_nothing()
  const price = usd < LEAST_USD ? m.less_than_usd({ usd: formatUsd(LEAST_USD) }) : m.about_usd({ usd: formatUsd(usd) })
  return m.costs_price_of_your_limit({ price })
}
