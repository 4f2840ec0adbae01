import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/**
 * Calls every endpoint with the client that openapi-generator has generated, and prints each answer as the client
 * has read it: one line of JSON per call. Then values of the types that callers expect.
 */
public class Client {
    private static final List<Class<?>> APIS = List.of(
        AccountsApi.class, ActivityApi.class, FlagsApi.class, GgAvaxApi.class, MetricsApi.class, MinipoolsApi.class,
        PricesApi.class, RewardsApi.class, ServiceApi.class, StakersApi.class, ValidatorsApi.class);

    /** The names of methods for endpoints. */
    private static final String ENDPOINT = "get((?!WithHttpInfo|ApiException|Calendar).)*";

    private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        // By the names of parameters. Other parameters are left out.
        Map<String, Object> values = Map.of(
            "address", args[1], "nodeID", args[2], "key", args[3], "dex", Dex.TJ, "name", Figure.TOTAL_SUPPLY,
            "ggpStaked", "6000", "avaxStaked", "1000", "ggAvax", "10", "limit", 1000);
        for (Class<?> api : APIS) {
            Object service = api.getConstructor(ApiClient.class).newInstance(client);
            for (Method method : api.getDeclaredMethods()) {
                List<Class<?>> types = Arrays.asList(method.getParameterTypes());
                if (!types.contains(Map.class) && method.getName().matches(ENDPOINT)) {
                    print(call(service, method, values));
                }
            }
        }

        Stakers page = new StakersApi(client).getStakers(null, true, "ggpStaked", Order.ASC, 2, null, null, null);
        List<String> amounts = new ArrayList<>();
        for (Staker staker : page.getStakers()) amounts.add(staker.getGgpStaked());
        long time = page.getBlock().getTimestamp();
        print(List.of(amounts, page.getTotal(), time, page.getNextCursor()));

        List<ActivityType> wanted = List.of(ActivityType.GGP_STAKED, ActivityType.GG_AVAX_DEPOSITED);
        Activity activity = new ActivityApi(client).getActivity(wanted, null, null, null, 100, null, null, null);
        List<String> events = new ArrayList<>();
        for (ActivityActivityInner event : activity.getActivity()) {
            if (event.getActualInstance() instanceof GgpStaked staked) events.add(staked.getAmount());
            else events.add(event.getGgAvaxDeposited().getAssets());
        }
        print(events);

        try {
            new StakersApi(client).getStakersAddress("0x000000000000000000000000000000000000dead");
        } catch (ApiException failure) {
            print(JSON.readValue(failure.getResponseBody(), Problem.class).getCode());
        }
    }

    private static void print(Object answer) throws Exception {
        System.out.println(JSON.writeValueAsString(answer));
    }

    private static Object call(Object service, Method method, Map<String, Object> values) throws Exception {
        List<Object> arguments = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            Object value = values.get(parameter.getName());
            arguments.add(parameter.getType() == List.class && value != null ? List.of(value) : value);
        }
        try {
            return method.invoke(service, arguments.toArray());
        } catch (InvocationTargetException failure) {
            return method.getName() + ": " + failure.getCause();
        }
    }
}
