import { type ReactNode, useId } from 'react'
import { CAPTION_ENCODINGS, type CaptionEncoding } from '#contract/captions/encodings.ts'
import type { CaptionReading } from '#contract/captions/report.ts'
import type { CaptionsAnswer, CaptionsQuery } from '#contract/transcript.ts'
import * as m from '#messages'
import { ApiError } from '#web/lib/api-error.ts'
import type { CaptionCheck, CaptionCheckState } from '#web/lib/captions/caption-check.ts'
import {
  REPAIR_TEXTS,
  sayCaptions,
  sayDoubt,
  sayLanguages,
  sayShift,
  showCount,
} from '#web/lib/captions/say-captions.ts'
import { Button } from './button.tsx'
import { FormField, Select } from './form-controls.tsx'

const ENCODING_NAMES: Partial<Record<CaptionEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'koi8-r': 'KOI8-R',
  shift_jis: 'Shift JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB 18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
}

/** As programs for captions name it. */
function nameEncoding(encoding: CaptionEncoding): string {
  // not-shown: in no other way; encodings have the same name in all languages.
  return ENCODING_NAMES[encoding] ?? encoding.replace('windows', 'Windows')
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <div className="grid gap-1 text-sm text-ink-soft">
      {lines.map((line, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same text may stand there twice, and nothing moves
        <p key={at} dir="auto" className="wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  legend: string
  value: Value
  options: readonly { value: Value; label: string; lines?: readonly string[] }[]
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ legend, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="grid gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer gap-3 rounded-control border border-line px-3 py-2 has-checked:border-brand has-focus-visible:outline-2 has-focus-visible:outline-brand"
          >
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="mt-1 size-4 shrink-0 accent-brand"
            />
            <span className="min-w-0 text-sm">
              <span className="font-medium">{option.label}</span>
              {option.lines && <Lines lines={option.lines} />}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Repairs({ repairs, repairCount }: Pick<CaptionsAnswer, 'repairs' | 'repairCount'>) {
  const id = useId()
  if (repairCount === 0) return null
  return (
    <div className="min-w-0">
      <p id={id} className="text-sm font-medium">
        {m.captions_repaired({ count: repairCount, shown: showCount(repairCount) })}
      </p>
      {repairCount > repairs.length && (
        <p className="text-sm text-ink-soft">
          {m.first_of_them_are_listed({ count: repairs.length, shown: showCount(repairs.length) })}
        </p>
      )}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <ul
        aria-labelledby={id}
        tabIndex={0}
        className="mt-1.5 max-h-48 overflow-y-auto overscroll-contain rounded-control border border-line px-3 py-2 text-sm"
      >
        {repairs.map(({ line, code }) => (
          <li key={`${line}-${code}`} className="flex gap-x-2 py-0.5">
            <span className="shrink-0 text-ink-faint tabular-nums">{m.line_of_file({ line: showCount(line) })}</span>
            <span className="min-w-0">{REPAIR_TEXTS[code]}</span>
          </li>
        ))}
      </ul>
      {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex */}
    </div>
  )
}

interface FindingsProps {
  report: CaptionsAnswer
  /** As it was chosen, or found. */
  encoding: CaptionEncoding
  /** What the encodings make of the file that seemed likely before a person chose one. */
  readings: readonly CaptionReading[]
  onChoose: (choices: CaptionsQuery) => void
}

/** Whether the captions are of this video, and at its times. */
function Times({ report: { shift, doubt }, onChoose }: Pick<FindingsProps, 'report' | 'onChoose'>) {
  return (
    <>
      {doubt && <p className="rounded-control bg-warn-soft px-3 py-2 text-sm text-warn-ink">{sayDoubt(doubt)}</p>}
      {shift && (
        <div className="grid gap-2">
          <p className="text-sm">{sayShift(shift)}</p>
          <Choice
            legend={m.times_of_captions()}
            value={shift.isMoved ? 'moved' : 'file'}
            options={[
              { value: 'moved', label: m.move_captions() },
              { value: 'file', label: m.times_as_in_file() },
            ]}
            onChange={(times) => onChoose({ times })}
          />
        </div>
      )}
    </>
  )
}

/** What the captions say, in the languages and encodings that they may be in. */
function Words({ report, encoding, readings, onChoose }: FindingsProps) {
  const { languages, language, firstLines } = report
  const isAmongReadings = readings.length > 1 && readings.some((reading) => reading.encoding === encoding)
  return (
    <>
      {languages.length > 1 && (
        <Choice
          legend={m.which_language_is_spoken()}
          value={language ?? ''}
          options={languages.map((each) => ({
            value: each.language,
            label: sayCaptions(each),
            lines: each.firstLines,
          }))}
          onChange={(chosen) => onChoose({ language: chosen })}
        />
      )}
      {sayLanguages(report).map((line) => (
        <p key={line} className="text-sm text-ink-soft">
          {line}
        </p>
      ))}
      {readings.length > 1 && (
        <Choice
          legend={m.which_letters_are_right()}
          value={encoding}
          options={readings.map(({ encoding: value, lines }) => ({ value, label: nameEncoding(value), lines }))}
          onChange={(charset) => onChoose({ charset })}
        />
      )}
      {!isAmongReadings && languages.length < 2 && (
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">{m.first_captions_as_read()}</p>
          <Lines lines={firstLines} />
        </div>
      )}
    </>
  )
}

function EncodingField({ encoding, onChoose }: Pick<FindingsProps, 'encoding' | 'onChoose'>) {
  const id = useId()
  return (
    <FormField id={id} label={m.caption_encoding()}>
      {(links) => (
        <Select
          {...links}
          value={encoding}
          onChange={(event) => onChoose({ charset: event.target.value as CaptionEncoding })}
        >
          {CAPTION_ENCODINGS.map((each) => (
            <option key={each} value={each}>
              {nameEncoding(each)}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}

function Findings(props: FindingsProps) {
  return (
    <>
      <Times {...props} />
      <Words {...props} />
      <Repairs {...props.report} />
      <EncodingField {...props} />
    </>
  )
}

/** Whether the file is refused, so that reading it again would end the same way. */
function isRefusal(error: Error): boolean {
  return !(error instanceof ApiError) || (error.status >= 400 && error.status < 500)
}

interface CaptionReportProps {
  check: CaptionCheck
  state: CaptionCheckState
  /** While the captions that were accepted are being sent. */
  isBusy?: boolean
  /** Why they could not be sent. */
  problem?: ReactNode
  /** Uses no captions, or others. */
  onCancel: () => void
  /** What that is called; "Cancel" without. */
  cancelLabel?: string
}

/**
 * What was done to read a caption file, and what a person should know or choose before it is used: repairs by line, the
 * encoding, the times, the language, whether the captions are of this video at all. The name of the file stands above.
 */
export function CaptionReport({ check, state, isBusy = false, problem, onCancel, cancelLabel }: CaptionReportProps) {
  const { report, error, isReading } = state
  return (
    <div className="grid gap-4" aria-busy={isReading}>
      <p role="status" className="text-sm font-medium empty:hidden">
        {isReading ? m.reading_the_captions() : report && !error && sayCaptions(report)}
      </p>
      {report && (
        <Findings
          report={report}
          encoding={state.choices.charset ?? report.encoding}
          readings={state.readings}
          onChoose={(choices) => void check.choose(choices)}
        />
      )}
      <p role="alert" className="text-sm font-medium text-danger-ink empty:hidden">
        {error?.message ?? problem}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {cancelLabel ?? m.cancel()}
        </Button>
        {error === null && (
          <Button isBusy={isReading || isBusy} onClick={() => check.accept()}>
            {m.use_captions()}
          </Button>
        )}
        {error !== null && !isRefusal(error) && (
          <Button onClick={() => void check.retry()}>{m.try_again_button()}</Button>
        )}
      </div>
    </div>
  )
}
