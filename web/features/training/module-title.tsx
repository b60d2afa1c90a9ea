import { Pencil } from 'lucide-react'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { useRenameModule } from '#web/lib/change-module.ts'
import { Button } from '#web/ui/button.tsx'
import { TitleEditor } from '#web/ui/form-controls.tsx'

/** The page's heading, which owners change where it stands. */
export function ModuleTitle({ module }: { module: Pick<Module, 'id' | 'title' | 'role'> }) {
  const { isRenaming, opener, begin, save, cancel } = useRenameModule(module)
  if (isRenaming) {
    return (
      <div className="max-w-2xl">
        <h1 className="sr-only">{module.title}</h1>
        <TitleEditor
          value={module.title}
          label={m.title_of_this_module()}
          maxChars={MODULE_TITLE_MAX_CHARS}
          onSave={save}
          onCancel={cancel}
        />
      </div>
    )
  }
  return (
    <div className="flex min-h-10 items-start gap-1">
      <h1 dir="auto" className="min-w-0 text-2xl font-semibold max-[22.5rem]:text-xl sm:text-3xl">
        {module.title}
      </h1>
      {module.role === 'owner' && (
        <Button
          ref={opener}
          variant="ghost"
          size="small"
          className="w-8 pointer-coarse:w-11 shrink-0 px-0! sm:mt-0.5"
          aria-label={m.rename_this_module()}
          onClick={begin}
        >
          <Pencil aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  )
}
