import { MinipoolFacts } from '../account/minipools.tsx';
import { useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { pathOf } from './paths.ts';
import { SubjectView } from './subject-view.tsx';
import { Timeline } from './timeline.tsx';

/** The view of a node: its newest minipool and its activity. */
export function NodeView({ node }: { node: string }) {
  const minipool = useAnswer(pathOf('/minipools/{nodeID}', node));
  const isNone = minipool.failure?.status === 404;
  return (
    <SubjectView
      title="Node"
      id={node}
      answer={minipool}
      summary={isNone && 'Nothing was found for this node: it has never had a minipool.'}
    >
      {!isNone && (
        <Card id="minipool" title="Minipool" about="The most recent one on this node" answers={[minipool]}>
          {minipool.body && <MinipoolFacts minipool={minipool.body} />}
        </Card>
      )}
      {minipool.body && (
        <Timeline
          id="node-activity"
          title="Node activity"
          path={pathOf('/minipools/{nodeID}/activity', node)}
          node={node}
        />
      )}
    </SubjectView>
  );
}
