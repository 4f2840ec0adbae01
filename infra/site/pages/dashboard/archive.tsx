/** The newest archive: its files, how large they are, and what a row of each is. */

import type { Manifest } from '../../../../lib/archive/manifest.ts';
import { Card } from './card.tsx';
import { useSeen } from './media.ts';
import { type Path, pathOf, withQuery } from './paths.ts';
import { Quantity } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** What its `datapackage.json` says of each table. */
interface DataPackage {
  resources: { name: string; description: string }[];
}

export function Archive() {
  // The last card of the page: few get there.
  const { mark, isSeen } = useSeen<HTMLDivElement>();
  const list = useAnswer(isSeen ? withQuery(pathOf('/archive'), { limit: 1 }) : undefined);
  const [newest] = list.body?.archives ?? [];
  const folder = newest?.manifest.slice(1).replace(/manifest\.json$/, '');
  const inFolder = (name: string) => `${folder}${name}`;
  const manifest = useAnswer(folder === undefined ? undefined : (inFolder('manifest.json') as Path<Manifest>));
  const words = useAnswer(folder === undefined ? undefined : (inFolder('datapackage.json') as Path<DataPackage>));
  const files = manifest.body?.files ?? [];
  const fileOf = (name: string) => files.find((file) => file.name === name);
  const link = (name: string) => {
    const file = fileOf(name);
    return file ? <a href={inFolder(name)}>{sizeOf(file.bytes)}</a> : '–';
  };
  return (
    <Card
      id="archive"
      title="Everything, to download"
      about={newest && `All that this service knows, as of ${newest.day} at block ${newest.block.number}`}
      from={newest ? [manifest, words] : isSeen ? [list] : []}
      lines={15}
    >
      {!isSeen ? (
        <div ref={mark} />
      ) : newest ? (
        <>
          <p class="quiet">
            The same tables twice: Parquet for programs, CSV for everything else. The{' '}
            <a href={inFolder('README.md')}>README</a> explains every column, the{' '}
            <a href={inFolder('manifest.json')}>manifest</a> has the SHA-256 of each file, and the guide shows how to{' '}
            <a href="docs/guide#read-an-archive">ask questions</a> without downloading them.
          </p>
          <Table
            caption="Files of the archive"
            of={words.body?.resources ?? []}
            keyOf={({ name }) => name}
            columns={[
              ['Table', ({ name }) => name],
              // The words are Markdown.
              ['What is in it', ({ description }) => description.replaceAll('`', ''), 'wide'],
              ['Rows', ({ name }) => <Quantity of={fileOf(`${name}.csv`)?.rows ?? 0} />, 'number'],
              ['CSV', ({ name }) => link(`${name}.csv`), 'number'],
              ['Parquet', ({ name }) => link(`${name}.parquet`), 'number'],
            ]}
          />
        </>
      ) : (
        <p class="empty">The first archive is made once the whole history is recorded, and then one every day.</p>
      )}
    </Card>
  );
}

/** A file's size, in kB rounded up, or MB. */
function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
