import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Version, VersionName } from '#contract/version.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { FormField, Select } from '#web/ui/form-controls.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { ChangeList } from './change-list.tsx'
import { TranscriptChanges } from './version-transcript.tsx'
import { versionQuery } from './versions-query.ts'

/** The training whose versions are shown, with the address of its poster, from which those of all images come. */
export interface OfModule {
  moduleId: string
  posterUrl: string | null
}

/** Compares any two versions, or one with the draft. */
export function VersionComparison({ versions, ...module }: OfModule & { versions: readonly Version[] }) {
  const newest = versions[0]?.number ?? 1
  const [before, setBefore] = useState<VersionName>(newest)
  const [after, setAfter] = useState<VersionName>('draft')
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <VersionSelect label={m.compare_from()} {...{ versions }} value={before} onChange={setBefore} />
        <VersionSelect label={m.compare_to()} {...{ versions }} value={after} onChange={setAfter} />
      </div>
      <Compared {...module} {...{ before, after }} />
    </div>
  )
}

interface VersionSelectProps {
  label: string
  versions: readonly Version[]
  value: VersionName
  onChange: (name: VersionName) => void
}

function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  const id = useId()
  return (
    <FormField id={id} label={label}>
      {(links) => (
        <Select
          {...links}
          value={value}
          onChange={({ target }) => onChange(target.value === 'draft' ? 'draft' : Number(target.value))}
        >
          <option value="draft">{m.draft()}</option>
          {versions.map(({ number }) => (
            <option key={number} value={number}>
              {m.page_version({ version: number })}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}

function Compared({ moduleId, posterUrl, before, after }: OfModule & { before: VersionName; after: VersionName }) {
  const callApi = useApi()
  const queries = [
    useQuery(versionQuery(callApi, moduleId, before)),
    useQuery(versionQuery(callApi, moduleId, after)),
  ] as const
  const failed = queries.find(({ isLoadingError }) => isLoadingError)
  if (failed !== undefined) return <VersionNotLoaded isBusy={failed.isFetching} onRetry={() => failed.refetch()} />
  const [old, now] = queries.map(({ data }) => data)
  if (old === undefined || now === undefined)
    return <LoadingSkeleton what={m.the_changes()} className="h-40 rounded-card" />
  const transcript = (
    <TranscriptChanges
      key={`${before} ${after}`}
      moduleId={moduleId}
      before={{ name: before, captions: old.content.captions }}
      after={{ name: after, captions: now.content.captions }}
    />
  )
  return <ChangeList before={old.content} after={now.content} {...{ posterUrl, transcript }} />
}

/** In place of a version that could not be loaded. */
export function VersionNotLoaded(retry: { isBusy: boolean; onRetry: () => void }) {
  return <LoadFailure message={m.failed_to_load_the_version()} retryLabel={m.try_again_button()} {...retry} />
}
