import { AudioLines } from 'lucide-react'
import { type FormEvent, memo, type ReactNode, useId, useState } from 'react'
import { toast } from 'sonner'
import { GLOSSARY_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { useChangeModule, useReprocessModule } from '#web/lib/change-module.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { languageName } from '#web/lib/format/language-name.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, Textarea } from '#web/ui/form-controls.tsx'
import { AudioTrackField } from './audio-track-field.tsx'
import { useOrganizationWords } from './organization-words.tsx'

interface ModuleFactsProps {
  module: LoadedModule
  /** Undefined while the steps load. */
  stepCount: number | undefined
  /** Where captions can be added. */
  captions?: ReactNode
}

const SOURCES = { captions: m.caption_file(), speech: m.speech_recognition() } as const

export function ModuleFacts({ module, stepCount, captions }: ModuleFactsProps) {
  const facts = [
    [m.created(), formatDate(module.createdAt)],
    [m.length_of_video(), module.totalDuration === null ? null : formatTime(module.totalDuration)],
    [m.steps_fact(), stepCount === undefined ? null : String(stepCount)],
    [m.language_of_app(), module.language && languageName(module.language)],
    [m.transcript_from(), module.transcriptSource && SOURCES[module.transcriptSource]],
  ].filter(([, value]) => value !== null)
  return (
    <Card className="p-5">
      <h2 className="font-semibold">{m.about_this_module()}</h2>
      <dl className="mt-3 grid grid-cols-1 gap-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-end font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {module.role === 'owner' && (
        <div className="mt-4">
          <TranscriptionSettingsButton module={module} />
        </div>
      )}
      {captions && <div className="mt-4">{captions}</div>}
    </Card>
  )
}

export function TranscriptionSettingsButton({ module }: { module: LoadedModule }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        className="h-auto! min-h-8 whitespace-normal!"
        onClick={() => setIsOpen(true)}
      >
        <AudioLines aria-hidden="true" className="size-4" />
        {m.language_and_glossary()}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={m.language_and_glossary()}
        description={m.how_the_narration_is_transcribed()}
      >
        <TranscriptionForm module={module} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  )
}

function TranscriptionForm({ module, onDone }: { module: LoadedModule; onDone: () => void }) {
  const [glossary, setGlossary] = useState(module.glossary ?? '')
  const [language, setLanguage] = useState(module.language ?? '')
  const [audioTrack, setAudioTrack] = useState(module.audioTrack)
  const change = useChangeModule(module.id, { failure: m.failed_to_save_the_settings() })
  const again = useReprocessModule()
  const isBusy = change.isPending || again.isPending
  const organization = useOrganizationWords(module.organization === 'active')
  const isTranscribed = module.transcriptSource !== 'captions'
  const canRemake = isTranscribed && module.hasVideo
  const hasTracks = canRemake && module.audioTracks.length > 1
  const isOtherTrack = audioTrack !== module.audioTrack

  function chooseTrack(trackId: number | null) {
    setAudioTrack(trackId)
    // The language is that of the track before.
    setLanguage(trackId === module.audioTrack ? (module.language ?? '') : '')
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isAgain = submitter instanceof HTMLButtonElement && submitter.value === 'again'
    try {
      const settings = { language: language || null, glossary: glossary.trim() }
      await change.mutateAsync(hasTracks ? { ...settings, audioTrack } : settings)
      await organization?.save()
      if (isAgain) await again.mutateAsync({ moduleId: module.id, from: 'start' })
    } catch {
      // The call that failed shows its error; what was typed stays.
      return
    }
    if (!isAgain) toast.success(m.saved())
    onDone()
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-5">
      {hasTracks && <AudioTrackField tracks={module.audioTracks} value={audioTrack} onChange={chooseTrack} />}
      <LanguageField value={language} storedTag={module.language} onChange={setLanguage} />
      <WordsField label={m.glossary()} value={glossary} onChange={setGlossary}>
        {m.names_and_product_words_separated()} {m.glossary_translations()}
      </WordsField>
      {organization !== null && (
        <WordsField
          label={m.organization_glossary()}
          value={organization.words}
          onChange={organization.mayChange ? organization.onChange : null}
        >
          {m.organization_glossary_use()}
        </WordsField>
      )}
      <p className="text-sm text-ink-soft">
        {isTranscribed ? m.to_use_them_for_this() : m.the_transcript_of_this_module()}
      </p>
      <FormActions {...{ canRemake, isBusy }} canWait={!isOtherTrack} />
    </form>
  )
}

interface FormActionsProps {
  canRemake: boolean
  /** Whether what was chosen is of use before the video is processed again. */
  canWait: boolean
  isBusy: boolean
}

function FormActions({ canRemake, canWait, isBusy }: FormActionsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      {canRemake && (
        <Button type="submit" variant={canWait ? 'secondary' : 'primary'} value="again" isBusy={isBusy}>
          {m.save_and_reprocess()}
        </Button>
      )}
      {canWait && (
        <Button type="submit" value="later" isBusy={isBusy}>
          {m.save()}
        </Button>
      )}
    </div>
  )
}

interface LanguageFieldProps {
  value: string
  /** The language that is stored, which the list has in any case. */
  storedTag: string | null
  onChange: (value: string) => void
}

/** Drawn again only when it changes: typing in the field next to it would draw all languages for each letter. */
const LanguageField = memo(({ value, storedTag, onChange }: LanguageFieldProps) => {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {m.spoken_language()}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)} className="mt-1.5">
        <option value="">{m.auto_detect()}</option>
        {listLanguages(storedTag).map(({ tag, name }) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
})

interface WordsFieldProps {
  label: string
  value: string
  /** Null for what may only be read. */
  onChange: ((value: string) => void) | null
  children: ReactNode
}

function WordsField({ label, value, onChange, children }: WordsFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Textarea
        id={id}
        rows={4}
        maxLength={GLOSSARY_MAX_CHARS}
        value={value}
        readOnly={onChange === null}
        onChange={(event) => onChange?.(event.target.value)}
        aria-describedby={`${id}-hint`}
        placeholder="Oberfräse, Festool OF 1010, Anschlag"
        className="mt-1.5 block"
      />
      <p id={`${id}-hint`} className="mt-1.5 flex justify-between gap-4 text-sm text-ink-soft">
        <span>{children}</span>
        <span className="shrink-0 whitespace-nowrap tabular-nums">
          {value.length} / {GLOSSARY_MAX_CHARS}
        </span>
      </p>
    </div>
  )
}

/** The languages of Whisper that have a code of two letters. */
const CODES =
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh'.split(
    ' ',
  )

/** All that can be chosen, by name; what is chosen already is among it, even if it is another one. */
function listLanguages(chosen: string | null): { tag: string; name: string }[] {
  const tags = chosen === null || CODES.includes(chosen) ? CODES : [...CODES, chosen]
  return tags
    .map((tag) => ({ tag, name: languageName(tag) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, m.language_tag()))
}
