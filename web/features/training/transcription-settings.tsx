import { AudioLines } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { GLOSSARY_MAX_CHARS } from '#contract/limits.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { listLanguages } from './language-names.ts'
import { type TranscriptionSettings, useTranscriptionSettings } from './use-transcription-settings.ts'

/** Opens the transcription settings of an own module. */
export function TranscriptionSettingsButton({ module }: { module: LoadedModule }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
        <AudioLines aria-hidden="true" className="size-4" />
        Language and words
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Language and words"
        description="How the narration is transcribed. Changes apply the next time this video is transcribed."
      >
        <TranscriptionForm module={module} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  )
}

function TranscriptionForm({ module, onDone }: { module: LoadedModule; onDone: () => void }) {
  const [glossary, setGlossary] = useState(module.glossary ?? '')
  const [language, setLanguage] = useState(module.language ?? '')
  const submit = useSubmit(module, onDone)
  const isTranscribed = module.transcriptSource !== 'captions'

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isAgain = submitter instanceof HTMLButtonElement && submitter.value === 'again'
    submit.run({ language: language || null, glossary: glossary.trim() || null }, isAgain ? 'again' : 'later')
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-5">
      <LanguageField kept={module.language} value={language} onChange={setLanguage} />
      <WordsField value={glossary} onChange={setGlossary} />
      <p className="text-sm text-ink-soft">
        {isTranscribed
          ? 'To use them for this video now, make it again. Steps that you have changed stay as they are.'
          : 'The transcript of this module comes from captions, so nothing is listened to.'}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        {isTranscribed && module.hasVideo && (
          <Button type="submit" variant="secondary" value="again" isBusy={submit.isBusy}>
            Save and make again
          </Button>
        )}
        <Button type="submit" value="later" isBusy={submit.isBusy}>
          Save
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

function LanguageField({ kept, value, onChange }: FieldProps & { kept: string | null }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        Spoken language
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)} className="mt-1.5">
        <option value="">Recognised by itself</option>
        {listLanguages(kept).map(({ tag, name }) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}

function WordsField({ value, onChange }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        Words to expect
      </label>
      <Textarea
        id={id}
        rows={4}
        maxLength={GLOSSARY_MAX_CHARS}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={`${id}-hint`}
        placeholder="Oberfräse, Festool OF 1010, Anschlag"
        className="mt-1.5 block"
      />
      <p id={`${id}-hint`} className="mt-1.5 flex justify-between gap-4 text-sm text-ink-soft">
        <span>Names and product words, separated by commas.</span>
        <span className="shrink-0 whitespace-nowrap tabular-nums">
          {value.length} / {GLOSSARY_MAX_CHARS}
        </span>
      </p>
    </div>
  )
}

function useSubmit(module: LoadedModule, onDone: () => void) {
  const { save, processAgain, isBusy } = useTranscriptionSettings(module)
  async function run(settings: TranscriptionSettings, when: 'again' | 'later') {
    try {
      await save(settings)
      if (when === 'again') await processAgain()
    } catch {
      // The call that failed shows its error; what was typed stays.
      return
    }
    if (when === 'later') toast.success('Kept for the next time')
    onDone()
  }
  return { isBusy, run: (...args: Parameters<typeof run>) => void run(...args) }
}
