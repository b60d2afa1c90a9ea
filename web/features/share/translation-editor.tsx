import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { type LanguageTag } from '#contract/languages.ts'
import { Done } from '#contract/module.ts'
import { type TranslatedItem, TranslationAnswer, type TranslationEdit } from '#contract/translation.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { fillMarks, HIDDEN } from '#web/ui/fill-marks.tsx'
import { Textarea } from '#web/ui/form-controls.tsx'
import { StillLoading } from '#web/ui/loading.tsx'
import { languagesQuery } from './languages-query.ts'
import { complaintText } from './translation-sentences.ts'

function translationQuery(callApi: CallApi, moduleId: string, tag: LanguageTag) {
  return queryOptions({
    queryKey: ['translation', moduleId, tag],
    queryFn: async ({ signal }) =>
      (await callApi({ path: pathOf(moduleId, tag), schema: TranslationAnswer, signal })).items,
  })
}

function pathOf(moduleId: string, tag: LanguageTag): string {
  return `/api/modules/${encodeURIComponent(moduleId)}/translations/${tag}`
}

interface TranslationEditorProps {
  moduleId: string
  tag: LanguageTag
  /** Of the language, in itself. */
  name: string
}

/** A translation beside its original: what needs a look first, then the rest in the order of the training. */
export function TranslationEditor({ moduleId, tag, name }: TranslationEditorProps) {
  const callApi = useApi()
  const { data: items, error } = useQuery(translationQuery(callApi, moduleId, tag))
  const edit = useEdit(moduleId, tag)
  if (error)
    return <p className="text-sm text-danger-ink">{m.the_translation_could_not_be({ message: error.message })}</p>
  if (items === undefined) return <StillLoading what={m.the_translation()} />
  const isUnread = items.some(({ state }) => state === 'good' || state === 'rough')
  return (
    <div className="grid grid-cols-1 gap-4">
      {isUnread && (
        <div>
          <Button size="small" isBusy={edit.isPending} onClick={() => edit.mutate({ isApproved: true })}>
            {m.approve_name({ name })}
          </Button>
        </div>
      )}
      {items
        .toSorted((a, b) => Number(needsLook(b)) - Number(needsLook(a)))
        .map((item) => (
          <ItemForm key={item.item} {...{ item, tag, edit }} />
        ))}
    </div>
  )
}

function needsLook({ state, earlier }: TranslatedItem): boolean {
  return state === 'kept_back' || earlier !== null
}

function useEdit(moduleId: string, tag: LanguageTag) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const keys = [translationQuery(callApi, moduleId, tag).queryKey, languagesQuery(callApi, moduleId).queryKey]
  return useMutation({
    mutationFn: (body: TranslationEdit) => callApi({ path: pathOf(moduleId, tag), method: 'PUT', body, schema: Done }),
    onError: (error) => toast.error(m.failed_to_save_the_translation(), { description: error.message }),
    onSettled: () => Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

interface ItemFormProps {
  item: TranslatedItem
  tag: LanguageTag
  edit: ReturnType<typeof useEdit>
}

function ItemForm({ item, tag, edit }: ItemFormProps) {
  const { source, texts, earlier, complaints, state } = item
  const stored = source.map((_text, index) => texts?.[index] ?? '')
  // Null while nothing is typed: what is translated meanwhile shows, and what is typed stays.
  const [typed, setTyped] = useState<readonly string[] | null>(null)
  const drafts = typed?.length === source.length ? typed : stored
  const isChanged = drafts.some((draft, index) => draft !== stored[index])
  // Learners would read nothing in place of the original.
  const isComplete = source.every((text, index) => text === '' || drafts[index]?.trim() !== '')
  const name = nameOf(item)
  const save = (written: readonly string[]) =>
    edit.mutate(
      { item: item.item, sourceHash: item.sourceHash, texts: [...written] },
      { onSuccess: () => setTyped(null) },
    )
  return (
    <fieldset className="grid grid-cols-1 gap-3 rounded-card border border-line p-3">
      <legend className="px-1 text-sm font-medium">
        {name} {state !== null && <span className="font-normal text-ink-soft">({STATES[state]})</span>}
      </legend>
      {/* Several texts of a part may lack the same. */}
      {[...new Set(complaints.map(complaintText))].map((text) => (
        <p key={text} className="text-sm text-warn-ink">
          {text}
        </p>
      ))}
      {source.map((text, index) => (
        <TextField
          // Texts of an item have their place and nothing else.
          key={`${item.item} ${index.toString()}`}
          {...{ text, tag, earlier: earlier?.[index] ?? null }}
          value={drafts[index] ?? ''}
          onChange={(value) => setTyped(drafts.with(index, value))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="secondary"
          disabled={!isChanged || !isComplete || edit.isPending}
          onClick={() => save(drafts)}
        >
          {fillMarks(m.save_titled({ name }), HIDDEN)}
        </Button>
        {state !== null && state !== 'approved' && (
          <Button
            size="small"
            variant="secondary"
            disabled={isChanged || edit.isPending}
            onClick={() => edit.mutate({ item: item.item, sourceHash: item.sourceHash, isApproved: true })}
          >
            {fillMarks(m.approve_titled({ name }), HIDDEN)}
          </Button>
        )}
        {earlier?.length === source.length && (
          <Button size="small" variant="secondary" disabled={edit.isPending} onClick={() => save(earlier)}>
            {fillMarks(m.use_mine_titled({ name }), HIDDEN)}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const STATES = {
  good: m.machine_translated_state(),
  rough: m.rough_translation_state(),
  kept_back: m.kept_back(),
  approved: m.approved_state(),
} as const

function nameOf({ item, source }: TranslatedItem): string {
  if (item === 'title') return m.title()
  if (item === 'chapters') return m.chapters()
  return item.startsWith('captions:') ? m.captions_begin({ text: source[0] ?? '' }) : (source[0] ?? '')
}

interface TextFieldProps {
  text: string
  tag: LanguageTag
  /** What a person had written of an earlier source. */
  earlier: string | null
  value: string
  onChange: (value: string) => void
}

function TextField({ text, tag, earlier, value, onChange }: TextFieldProps) {
  const id = useId()
  if (text === '') return null
  return (
    <div>
      <label htmlFor={id} className="text-sm wrap-anywhere">
        {text}
      </label>
      <Textarea
        id={id}
        lang={tag}
        dir="auto"
        value={value}
        aria-describedby={earlier === null ? undefined : `${id}-earlier`}
        onChange={(event) => onChange(event.target.value)}
        className="mt-1 field-sizing-content w-full"
      />
      {earlier !== null && (
        <p id={`${id}-earlier`} className="mt-1 text-sm text-ink-soft wrap-anywhere">
          {fillMarks(m.source_changed_from({ earlier }), { text: (inner) => <span lang={tag}>{inner}</span> })}
        </p>
      )}
    </div>
  )
}
