"""AVE5xx judged files and input of `build`, AVE7xx campaign files, AVE9xx scores."""

from __future__ import annotations

from ave_score.rules.rule import error, warning

HEADER_UNUSABLE = error(
    "AVE501",
    "header-unusable",
    "{problem}{hint}; expected columns separated by tabs, commas or semicolons{least}",
    "Name the columns in the first line, or map their names: --columns q_id=id. "
    "docs/reference/formats.md has the columns of every kind of file.",
)
ROW_WIDTH = error(
    "AVE502",
    "row-width",
    "found {found}, expected {expected} as in the header",
    "Separate fields as in the header; in CSV, quote texts that contain the separator.",
)
UNKNOWN_JUDGEMENT = error(
    "AVE503",
    "unknown-judgement",
    "found {found!r}, expected one of {expected} among the letters of {letters}{hint}",
    "Correct the letter, or choose those that these are with --letters.",
)
ANSWERED_UNKNOWN = error(
    "AVE504",
    "answered-unknown",
    "{field} is {found!r}, expected YES or NO",
    "Write YES or NO; in a table the field may be empty.",
)
FIELD_EMPTY = error(
    "AVE505",
    "field-empty",
    "the field {field} is empty",
    "Fill in the field, or delete the row if it is empty.",
)
SECOND_ANSWER = warning(
    "AVE506",
    "second-answer",
    "run {run!r} answers question {q_id!r} again{again}; its first answer, at line {first}, counts",
    "A QA system is ranked by the first answer that it returns. If questions were asked several "
    "times, tell their answers apart in a column replicate.",
)
RIGHT_BUT_UNANSWERABLE = warning(
    "AVE507",
    "right-but-unanswerable",
    "run {run!r} is judged right on question {q_id!r}, which has no VALIDATED answer in the "
    "collection; counted as right",
    "Compare both files: the answer may have been removed when the collection was built.",
)
QUESTION_UNANSWERED = warning(
    "AVE508",
    "question-without-row",
    "run {run!r} has no row for question {q_id!r}; counted as answered wrongly",
    "Write a row with answered NO if a system left a question unanswered, or score with --missing "
    "rejected.",
)
OUTSIDE_COLLECTION = warning(
    "AVE509",
    "outside-collection",
    "question {q_id!r} is not in the collection; its rows are skipped",
    "Nothing to do if the collection has fewer questions than the QA task.",
)
UNKNOWN_COLUMN = warning(
    "AVE510",
    "unknown-column",
    "unknown column {found!r}, ignored{hint}",
    "Nothing to do unless it is a misspelt column. docs/reference/formats.md has the columns of "
    "every kind of file.",
)
TWO_TEAMS = error(
    "AVE511",
    "two-teams",
    "run {name!r} belongs to {found!r} here but to {first!r} earlier",
    "Name one team per run.",
)
JUDGED_UNKNOWN_ANSWER = warning(
    "AVE512",
    "judged-unknown-answer",
    "run {run!r} gives answer {a_id!r} to question {q_id!r}, which has no answer with this id",
    "Compare both files; the judgement still counts.",
)
JUDGEMENT_CONTRADICTED = warning(
    "AVE513",
    "judgement-contradicted",
    "run {run!r}: answer {a_id!r} of question {q_id!r} is judged {found} but labelled "
    "{expected} in the collection; the judgement counts",
    "Compare both files: they should come from the same assessments.",
)
LETTER_CONTRADICTED = error(
    "AVE514",
    "letter-contradicted",
    "judged {found} and answered {answered}: in the letters of {letters} it means {means}",
    "Choose the letters that were used, e.g. --letters respubliqa, or correct the row.",
)
QUOTE_UNUSABLE = error(
    "AVE515",
    "quote-unusable",
    "the quoted field {problem}",
    'Write "..." around the whole field, and each quote in it twice.',
)
ROW_EXCLUDED = warning(
    "AVE516",
    "row-excluded",
    "run {run!r} has no row for question {q_id!r}; left out of the scores of this run",
    "Nothing to do: --missing excluded asks for this.",
)
ROW_AS_UNANSWERED = warning(
    "AVE517",
    "row-as-unanswered",
    "run {run!r} has no row for question {q_id!r}; read as unanswered",
    "Nothing to do: --missing rejected asks for this.",
)
QUESTION_REPEATED = error(
    "AVE520",
    "question-repeated",
    "duplicate question {q_id!r}, first at line {first}",
    "Give every question its own id.",
)
HYPOTHESIS_SLOT = error(
    "AVE521",
    "hypothesis-slot",
    "the hypothesis {problem}",
    "Write {answer} where the answer belongs, and no other braces.",
)
OUTSIDE_QUESTIONS = warning(
    "AVE522",
    "outside-questions",
    "question {q_id!r} is not in the questions table; its rows are skipped",
    "Nothing to do if the collection is meant to have only some of the questions.",
)
JUDGEMENTS_DIFFER = warning(
    "AVE523",
    "judgements-differ",
    "answer {found!r} of question {q_id!r} is judged {letter} here and {other} {before}; "
    "labelled UNKNOWN",
    "Have the assessors check both rows.",
)
DOCUMENT_UNUSABLE = error(
    "AVE524",
    "document-unusable",
    "document {found!r} is not a valid file name in the folder of documents",
    "Name a document by its id, without folders.",
)
DOCUMENT_MISSING = warning(
    "AVE525",
    "document-missing",
    "document {found!r} is not in the folder of documents; its answers are skipped",
    "Find the document, or ignore the warning: an answer without a text cannot be validated.",
)
NOT_TOML = error(
    "AVE701",
    "not-toml",
    "not TOML: {problem}",
    "Quote strings and put table names in brackets; ave-score campaign init writes a template.",
)
UNKNOWN_SETTING = error(
    "AVE702",
    "unknown-setting",
    "{where} has no setting {name!r}{hint}",
    "ave-score campaign init writes a template that explains every setting.",
)
SETTING_UNUSABLE = error(
    "AVE703",
    "setting-unusable",
    "{name} of {where} is {found!r}, expected {expected}",
    "ave-score campaign init writes a template that explains every setting.",
)
SETTING_MISSING = error(
    "AVE704",
    "setting-missing",
    "{where} has no {name}",
    "A campaign needs an edition, an edition a language (or task, ...), and that a collection.",
)
NO_RUNS = warning(
    "AVE705",
    "no-runs",
    "{where} names no runs",
    "Name the folder of the submitted runs; nothing to do if nobody took part.",
)
RUNS_OF_ONE_NAME = warning(
    "AVE706",
    "runs-of-one-name",
    "{where}: {found} share the name {name!r} and are not scored",
    'Rename the files, or name them here: names = {{ "folder/file" = "name" }}.',
)
FILE_UNUSABLE = warning(
    "AVE707",
    "file-unusable",
    "{where}: {name} {found}; {consequence}",
    "Paths are relative to the campaign file.",
)
NAME_OF_NOTHING = error(
    "AVE708",
    "name-of-nothing",
    "{where}: {name} refers to {found!r}, which is not a run{hint}",
    "Write the path of the file or the end of it, with or without its suffix; in teams, the name "
    "of the run.",
)
TIME_UNUSABLE = error(
    "AVE709",
    "time-unusable",
    "the time of {name!r} is {found!r}, expected {expected}",
    "Write the time of each submission once, with Z for UTC or an offset such as +02:00.",
)
BUNDLE_REFUSED = error(
    "AVE711",
    "bundle-refused",
    "{where}: found {found!r}, expected {expected}",
    "Correct the campaign file, or give --wheels.",
)
BUNDLE_FILE = error(
    "AVE712",
    "bundle-file",
    "{where}: {name!r} is {found}",
    "Name a picture or a text, not empty, in the campaign file.",
)
BUNDLE_DEFAULT = warning(
    "AVE713",
    "bundle-default",
    "the campaign file does not have {found}: the bundle has what any bundle has",
    "Set them in the campaign file.",
)
NOT_AN_OBJECT = error(
    "AVE901",
    "not-an-object",
    "the line is not a JSON object: {problem}",
    "Write one complete JSON object per line.",
)
KEY_MISSING = error(
    "AVE902",
    "key-missing",
    "no key {key!r} {where}{hint}",
    "Name the keys of the file, e.g. --columns q_id=problem,score=reward.",
)
KEY_REPEATED = error(
    "AVE903",
    "key-repeated",
    "the object has {field} twice, as {first!r} and as {again!r}",
    "Keep the intended key.",
)
SCORE_NOT_A_NUMBER = error(
    "AVE904",
    "score-not-a-number",
    "score is {found}, expected a number such as 0.75",
    "Write the score as a number with a decimal point, in JSON without quotes.",
)
SCORE_NOT_FINITE = error(
    "AVE905",
    "score-not-finite",
    "score is {found}, expected a finite number",
    "NaN and infinity cannot be ranked. Write the verifier's actual score.",
)
VALUE_UNUSABLE = error(
    "AVE906",
    "value-unusable",
    "{field} is {found}, expected {expected}",
    "Ids are strings or whole numbers, texts are strings or numbers; null means no text.",
)
CORRECT_UNKNOWN = error(
    "AVE907",
    "correct-unknown",
    "correct is {found}, expected {expected}",
    "Write whether the answer is correct, or omit the value if that is unknown.",
)
IDS_MIXED = error(
    "AVE908",
    "ids-mixed",
    "the answer {found} id, unlike the one at line {first}",
    "Give all answers an id, or none.",
)
QUESTION_TEXTS_DIFFER = warning(
    "AVE909",
    "question-texts-differ",
    "question {q_id!r} has another text at line {first}; a collection gets that text",
    "Nothing to do if the texts are equivalent prompts; otherwise check the ids.",
)
LOG_UNUSABLE = error(
    "AVE910",
    "log-unusable",
    "{where} is {found}, expected {expected}",
    "Correct the log, or write the scores as JSON Lines; docs/reference/scores.md shows both.",
)
ANSWER_UNSCORED = error(
    "AVE911",
    "answer-unscored",
    "the answer has no scores{failed}",
    "Run it again (`inspect eval-retry LOG`), score it (`inspect score LOG`), or leave out its "
    "question.",
)
PARTLY_CORRECT = warning(
    "AVE912",
    "partly-correct",
    "{where} is P, partly correct: the answer gets the label UNKNOWN",
    "Nothing to do if these answers should count as neither correct nor incorrect.",
)
LOG_UNFINISHED = warning(
    "AVE913",
    "log-unfinished",
    "the status of the evaluation is {found}: answers may be missing",
    "Finish the evaluation (`inspect eval-retry LOG`), or expect fewer answers.",
)
TARGET_CONTRADICTED = error(
    "AVE914",
    "target-contradicted",
    "{metric} is {found}, but by target {target!r} the best choice is {expected}",
    "Write the choices as JSON Lines with q_id, score and correct.",
)
ANSWERS_FAILED = warning(
    "AVE915",
    "answers-failed",
    "{numbers} failed, were invalidated or are not in the log ({ids}); the other answers to these "
    "questions count",
    "Finish the evaluation (`inspect eval-retry LOG`), or expect fewer answers.",
)
QUESTIONS_LACKING = error(
    "AVE916",
    "questions-lacking",
    "{numbers} have no judged answer ({ids})",
    "Finish the evaluation (`inspect eval-retry LOG`), or choose what they count as: withheld with "
    "--missing rejected; with --missing excluded they are left out.",
)
LOG_UNCLEAR = error(
    "AVE917",
    "log-unclear",
    "ave-score score refuses it: {problem}{remedy}",
    "Correct the log, or choose with --log KEY=VALUE, the same in every command; --kind scores "
    "checks what `ave-score decide` ranks.",
)
